package org.allreducelab.backends.opencl;

import static org.allreducelab.backends.opencl.ErrorCode.check;
import static org.lwjgl.opencl.CL10.CL_CONTEXT_PLATFORM;
import static org.lwjgl.opencl.CL10.clCreateContext;
import static org.lwjgl.opencl.CL10.clReleaseContext;

import java.nio.IntBuffer;
import java.util.HashMap;
import java.util.Map;
import org.lwjgl.system.MemoryStack;

/** A context of one device, with the kernels compiled in it. */
final class DeviceContext implements AutoCloseable {
  private final Device device;
  private final String label;
  private final long handle;
  private final Map<KernelTraits, FoldPrograms> programs = new HashMap<>();
  private boolean closed;

  DeviceContext(Device device) {
    this.device = device;
    label = device.label();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      handle =
          check(
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

  /** For messages. */
  String label() {
    return label;
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
