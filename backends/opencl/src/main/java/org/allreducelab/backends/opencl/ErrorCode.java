package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.*;
import static org.lwjgl.opencl.CL11.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
import static org.lwjgl.opencl.CL11.CL_INVALID_PROPERTY;
import static org.lwjgl.opencl.CL11.CL_MISALIGNED_SUB_BUFFER_OFFSET;
import static org.lwjgl.opencl.CL12.CL_COMPILE_PROGRAM_FAILURE;
import static org.lwjgl.opencl.CL12.CL_DEVICE_PARTITION_FAILED;
import static org.lwjgl.opencl.CL12.CL_LINK_PROGRAM_FAILURE;

import java.nio.IntBuffer;
import org.allreducelab.backends.DriverException;

/** Names of OpenCL's error codes, and the check of every call. */
final class ErrorCode {
  /** cl_khr_icd: the loader knows no driver. */
  static final int PLATFORM_NOT_FOUND = -1001;

  private ErrorCode() {}

  /**
   * @throws DriverException if the code is an error
   */
  static void check(int code, String call, String device) {
    if (code != CL_SUCCESS) {
      throw failure(code, call, device);
    }
  }

  /** As {@link #check(int, String, String)}, for calls that return an object. */
  static long check(long made, IntBuffer code, String call, String device) {
    check(code.get(0), call, device);
    return made;
  }

  static DriverException failure(int code, String call, String device) {
    return new DriverException("opencl", call, code, name(code), device, advice(code));
  }

  static String name(int code) {
    return switch (code) {
      case CL_SUCCESS -> "CL_SUCCESS";
      case CL_DEVICE_NOT_FOUND -> "CL_DEVICE_NOT_FOUND";
      case CL_DEVICE_NOT_AVAILABLE -> "CL_DEVICE_NOT_AVAILABLE";
      case CL_COMPILER_NOT_AVAILABLE -> "CL_COMPILER_NOT_AVAILABLE";
      case CL_MEM_OBJECT_ALLOCATION_FAILURE -> "CL_MEM_OBJECT_ALLOCATION_FAILURE";
      case CL_OUT_OF_RESOURCES -> "CL_OUT_OF_RESOURCES";
      case CL_OUT_OF_HOST_MEMORY -> "CL_OUT_OF_HOST_MEMORY";
      case CL_MAP_FAILURE -> "CL_MAP_FAILURE";
      case CL_BUILD_PROGRAM_FAILURE -> "CL_BUILD_PROGRAM_FAILURE";
      case CL_MISALIGNED_SUB_BUFFER_OFFSET -> "CL_MISALIGNED_SUB_BUFFER_OFFSET";
      case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ->
          "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
      case CL_COMPILE_PROGRAM_FAILURE -> "CL_COMPILE_PROGRAM_FAILURE";
      case CL_LINK_PROGRAM_FAILURE -> "CL_LINK_PROGRAM_FAILURE";
      case CL_DEVICE_PARTITION_FAILED -> "CL_DEVICE_PARTITION_FAILED";
      case CL_INVALID_VALUE -> "CL_INVALID_VALUE";
      case CL_INVALID_PLATFORM -> "CL_INVALID_PLATFORM";
      case CL_INVALID_DEVICE -> "CL_INVALID_DEVICE";
      case CL_INVALID_CONTEXT -> "CL_INVALID_CONTEXT";
      case CL_INVALID_COMMAND_QUEUE -> "CL_INVALID_COMMAND_QUEUE";
      case CL_INVALID_MEM_OBJECT -> "CL_INVALID_MEM_OBJECT";
      case CL_INVALID_BINARY -> "CL_INVALID_BINARY";
      case CL_INVALID_BUILD_OPTIONS -> "CL_INVALID_BUILD_OPTIONS";
      case CL_INVALID_PROGRAM -> "CL_INVALID_PROGRAM";
      case CL_INVALID_PROGRAM_EXECUTABLE -> "CL_INVALID_PROGRAM_EXECUTABLE";
      case CL_INVALID_KERNEL_NAME -> "CL_INVALID_KERNEL_NAME";
      case CL_INVALID_KERNEL -> "CL_INVALID_KERNEL";
      case CL_INVALID_ARG_INDEX -> "CL_INVALID_ARG_INDEX";
      case CL_INVALID_ARG_VALUE -> "CL_INVALID_ARG_VALUE";
      case CL_INVALID_ARG_SIZE -> "CL_INVALID_ARG_SIZE";
      case CL_INVALID_KERNEL_ARGS -> "CL_INVALID_KERNEL_ARGS";
      case CL_INVALID_WORK_DIMENSION -> "CL_INVALID_WORK_DIMENSION";
      case CL_INVALID_WORK_GROUP_SIZE -> "CL_INVALID_WORK_GROUP_SIZE";
      case CL_INVALID_WORK_ITEM_SIZE -> "CL_INVALID_WORK_ITEM_SIZE";
      case CL_INVALID_EVENT_WAIT_LIST -> "CL_INVALID_EVENT_WAIT_LIST";
      case CL_INVALID_EVENT -> "CL_INVALID_EVENT";
      case CL_INVALID_OPERATION -> "CL_INVALID_OPERATION";
      case CL_INVALID_BUFFER_SIZE -> "CL_INVALID_BUFFER_SIZE";
      case CL_INVALID_GLOBAL_WORK_SIZE -> "CL_INVALID_GLOBAL_WORK_SIZE";
      case CL_INVALID_PROPERTY -> "CL_INVALID_PROPERTY";
      case PLATFORM_NOT_FOUND -> "CL_PLATFORM_NOT_FOUND_KHR";
      default -> "OpenCL error " + code;
    };
  }

  /** What to do about it, where there is something to do; else an empty string. */
  static String advice(int code) {
    return switch (code) {
      case CL_MEM_OBJECT_ALLOCATION_FAILURE,
          CL_OUT_OF_RESOURCES,
          CL_OUT_OF_HOST_MEMORY,
          CL_INVALID_BUFFER_SIZE ->
          "use smaller vectors or fewer ranks, or free memory of the device";
      case CL_DEVICE_NOT_AVAILABLE, CL_COMPILER_NOT_AVAILABLE ->
          "check the driver's installation with clinfo";
      default -> "";
    };
  }
}
