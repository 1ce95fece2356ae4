package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_CONTEXT_PLATFORM;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.clCreateContext;
import static org.lwjgl.opencl.CL10.clReleaseContext;

import java.nio.IntBuffer;
import java.util.HashMap;
import java.util.Map;
import org.allreducelab.backends.DriverException;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;

/** A context of one device, with the kernels compiled in it. */
final class DeviceContext implements AutoCloseable {
  private final Device device;
  private final String label;
  private final long handle;
  private final Map<KernelTraits, FoldPrograms> programs = new HashMap<>();
  private final @Nullable CallFaults faults;
  private volatile boolean failed;
  private @Nullable ExternalCommands external;
  private boolean closed;

  DeviceContext(Device device) {
    this(device, null);
  }

  /**
   * @param faults which of its calls fail, as a test asks; null for none
   */
  DeviceContext(Device device, @Nullable CallFaults faults) {
    this.device = device;
    this.faults = faults;
    label = device.label();
    mayFail("clCreateContext");
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      handle =
          ErrorCode.check(
              clCreateContext(
                  stack.pointers(CL_CONTEXT_PLATFORM, device.platform(), 0),
                  stack.pointers(device.handle()),
                  null,
                  0,
                  code),
              code,
              "clCreateContext",
              label);
    }
  }

  Device device() {
    return device;
  }

  long handle() {
    return handle;
  }

  /**
   * Checks a call on it.
   *
   * @throws DriverException if the code is an error; no other group should get this context then,
   *     since some drivers refuse everything in it from there on
   */
  void check(int code, String call) {
    if (code != CL_SUCCESS) {
      failed = true;
      throw ErrorCode.failure(code, call, label);
    }
  }

  /** As {@link #check(int, String)}, for calls that return an object. */
  long check(long made, IntBuffer code, String call) {
    check(code.get(0), call);
    return made;
  }

  /**
   * Stands before a call that a test may have fail.
   *
   * @throws DriverException if it is to fail
   */
  void mayFail(String call) {
    if (faults != null) {
      check(faults.code(call, this), call);
    }
  }

  /** As {@link #mayFail}, for a call whose error is not the end: the error, or CL_SUCCESS. */
  int fault(String call) {
    return faults == null ? CL_SUCCESS : faults.code(call, this);
  }

  /** Whether it is as good as new for another group. */
  boolean isReusable() {
    return !failed && faults == null;
  }

  /** For messages. */
  String label() {
    return label;
  }

  /** The commands that acquire and release memory of other APIs. */
  ExternalCommands external() {
    ExternalCommands present = external;
    if (present == null) {
      present = new ExternalCommands(device);
      external = present;
    }
    return present;
  }

  /** The fold kernels of that kind. */
  FoldPrograms programs(KernelTraits traits) {
    return programs.computeIfAbsent(traits, t -> new FoldPrograms(this, t, ProgramCache.ofUser()));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      programs.values().forEach(FoldPrograms::close);
      clReleaseContext(handle);
    }
  }
}
