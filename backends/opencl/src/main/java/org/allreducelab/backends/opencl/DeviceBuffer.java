package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_MEM_ALLOC_HOST_PTR;
import static org.lwjgl.opencl.CL10.CL_MEM_READ_WRITE;
import static org.lwjgl.opencl.CL10.clReleaseMemObject;
import static org.lwjgl.opencl.CL10.nclCreateBuffer;

import java.nio.IntBuffer;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** Memory of a context. It starts at a multiple of 16 bytes: OpenCL aligns for its largest type. */
final class DeviceBuffer implements AutoCloseable {
  private static final String KIND = "opencl buffer";

  private final long handle;
  private final long bytes;
  private boolean closed;

  /**
   * @param bytes size; 0 makes a buffer too, since kernels need one to name
   */
  DeviceBuffer(DeviceContext context, long bytes) {
    this(context, bytes, CL_MEM_READ_WRITE);
  }

  /** In memory that the host can reach, where the driver tells such from other memory. */
  static DeviceBuffer onHost(DeviceContext context, long bytes) {
    return new DeviceBuffer(context, bytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
  }

  private DeviceBuffer(DeviceContext context, long bytes, long flags) {
    this.bytes = bytes;
    context.mayFail("clCreateBuffer");
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      // A whole number of 16-byte accesses.
      long size = Math.max(16, (bytes + 15) & -16);
      handle =
          context.check(
              nclCreateBuffer(context.handle(), flags, size, 0, MemoryUtil.memAddress(code)),
              code,
              "clCreateBuffer of " + size + " bytes");
    }
    LiveObjects.opened(KIND);
  }

  long handle() {
    return handle;
  }

  /** As asked for. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      clReleaseMemObject(handle);
      LiveObjects.closed(KIND);
    }
  }
}
