package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_MEM_ALLOC_HOST_PTR;
import static org.lwjgl.opencl.CL10.CL_MEM_READ_WRITE;
import static org.lwjgl.opencl.CL10.clReleaseMemObject;
import static org.lwjgl.opencl.CL10.nclCreateBuffer;
import static org.lwjgl.opencl.CL30.nclCreateBufferWithProperties;
import static org.lwjgl.opencl.KHRExternalMemoryOpaqueFD.CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;

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

  /**
   * Memory of another API, seen from a context.
   *
   * @param bytes what is used of it
   * @param allocatedBytes its size
   * @param descriptor an opaque file descriptor, the driver's if this succeeds
   */
  static DeviceBuffer imported(
      DeviceContext context, long bytes, long allocatedBytes, int descriptor) {
    return new DeviceBuffer(
        context,
        bytes,
        "clCreateBufferWithProperties",
        code -> {
          try (MemoryStack stack = MemoryStack.stackPush()) {
            return nclCreateBufferWithProperties(
                context.handle(),
                MemoryUtil.memAddress(
                    stack.longs(CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, descriptor, 0)),
                CL_MEM_READ_WRITE,
                allocatedBytes,
                0,
                MemoryUtil.memAddress(code));
          }
        });
  }

  /** Makes a cl_mem. */
  interface Maker {
    /**
     * Makes it.
     *
     * @param code where the call's code goes
     */
    long make(IntBuffer code);
  }

  private DeviceBuffer(DeviceContext context, long bytes, long flags) {
    this(
        context,
        bytes,
        "clCreateBuffer",
        code ->
            nclCreateBuffer(
                context.handle(), flags, wholeAccesses(bytes), 0, MemoryUtil.memAddress(code)));
  }

  DeviceBuffer(DeviceContext context, long bytes, String call, Maker maker) {
    this.bytes = bytes;
    context.mayFail(call);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      handle = context.check(maker.make(code), code, call + " of " + bytes + " bytes");
    }
    LiveObjects.opened(KIND);
  }

  /** A whole number of 16-byte accesses. */
  static long wholeAccesses(long bytes) {
    return Math.max(16, (bytes + 15) & -16);
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
