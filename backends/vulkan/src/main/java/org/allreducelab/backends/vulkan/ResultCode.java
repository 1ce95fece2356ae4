package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.*;
import static org.lwjgl.vulkan.VK11.VK_ERROR_INVALID_EXTERNAL_HANDLE;
import static org.lwjgl.vulkan.VK11.VK_ERROR_OUT_OF_POOL_MEMORY;
import static org.lwjgl.vulkan.VK12.VK_ERROR_FRAGMENTATION;
import static org.lwjgl.vulkan.VK12.VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS;

import org.allreducelab.backends.DriverException;

/** Names of VkResult values, and the check of every call. */
final class ResultCode {
  private ResultCode() {}

  /**
   * Returns a success code as it is ({@code VK_TIMEOUT} and {@code VK_NOT_READY} are successes).
   *
   * @throws DriverException if the code is an error
   */
  static int check(int code, String call, String device) {
    if (code < 0) {
      throw new DriverException("vulkan", call, code, name(code), device, advice(code));
    }
    return code;
  }

  static String name(int code) {
    return switch (code) {
      case VK_SUCCESS -> "VK_SUCCESS";
      case VK_NOT_READY -> "VK_NOT_READY";
      case VK_TIMEOUT -> "VK_TIMEOUT";
      case VK_INCOMPLETE -> "VK_INCOMPLETE";
      case VK_ERROR_OUT_OF_HOST_MEMORY -> "VK_ERROR_OUT_OF_HOST_MEMORY";
      case VK_ERROR_OUT_OF_DEVICE_MEMORY -> "VK_ERROR_OUT_OF_DEVICE_MEMORY";
      case VK_ERROR_INITIALIZATION_FAILED -> "VK_ERROR_INITIALIZATION_FAILED";
      case VK_ERROR_DEVICE_LOST -> "VK_ERROR_DEVICE_LOST";
      case VK_ERROR_MEMORY_MAP_FAILED -> "VK_ERROR_MEMORY_MAP_FAILED";
      case VK_ERROR_LAYER_NOT_PRESENT -> "VK_ERROR_LAYER_NOT_PRESENT";
      case VK_ERROR_EXTENSION_NOT_PRESENT -> "VK_ERROR_EXTENSION_NOT_PRESENT";
      case VK_ERROR_FEATURE_NOT_PRESENT -> "VK_ERROR_FEATURE_NOT_PRESENT";
      case VK_ERROR_INCOMPATIBLE_DRIVER -> "VK_ERROR_INCOMPATIBLE_DRIVER";
      case VK_ERROR_TOO_MANY_OBJECTS -> "VK_ERROR_TOO_MANY_OBJECTS";
      case VK_ERROR_FORMAT_NOT_SUPPORTED -> "VK_ERROR_FORMAT_NOT_SUPPORTED";
      case VK_ERROR_FRAGMENTED_POOL -> "VK_ERROR_FRAGMENTED_POOL";
      case VK_ERROR_UNKNOWN -> "VK_ERROR_UNKNOWN";
      case VK_ERROR_OUT_OF_POOL_MEMORY -> "VK_ERROR_OUT_OF_POOL_MEMORY";
      case VK_ERROR_FRAGMENTATION -> "VK_ERROR_FRAGMENTATION";
      case VK_ERROR_INVALID_EXTERNAL_HANDLE -> "VK_ERROR_INVALID_EXTERNAL_HANDLE";
      case VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS -> "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS";
      default -> "VkResult " + code;
    };
  }

  /** Whether the call had no effect and the device is as good as before: it lacked something. */
  static boolean isRefusal(int code) {
    return switch (code) {
      case VK_ERROR_OUT_OF_HOST_MEMORY,
          VK_ERROR_OUT_OF_DEVICE_MEMORY,
          VK_ERROR_TOO_MANY_OBJECTS,
          VK_ERROR_FRAGMENTATION,
          VK_ERROR_INVALID_EXTERNAL_HANDLE ->
          true;
      default -> false;
    };
  }

  /** What to do about it, where there is something to do; else an empty string. */
  static String advice(int code) {
    return switch (code) {
      case VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY ->
          "use smaller vectors or fewer ranks, or free memory of the device";
      case VK_ERROR_DEVICE_LOST -> "open a new group; the driver's log says why it was lost";
      case VK_ERROR_INITIALIZATION_FAILED, VK_ERROR_INCOMPATIBLE_DRIVER ->
          "check the driver's installation with vulkaninfo";
      default -> "";
    };
  }
}
