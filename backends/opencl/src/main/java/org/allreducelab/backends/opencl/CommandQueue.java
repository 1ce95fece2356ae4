package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.*;
import static org.lwjgl.opencl.CL12.nclEnqueueMarkerWithWaitList;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * An in-order queue. It knows whether commands were enqueued since the last flush: only flushed
 * ones are sure to start, so a queue is flushed before another one waits for it.
 */
final class CommandQueue implements AutoCloseable {
  private static final String KIND = "opencl queue";
  private static final int CHUNK_BYTES = 4 << 20;

  private final DeviceContext context;
  private final long handle;
  private boolean unflushed;
  private boolean closed;

  CommandQueue(DeviceContext context) {
    this(context, false);
  }

  /**
   * @param timed whether its events know when commands began and ended
   */
  CommandQueue(DeviceContext context, boolean timed) {
    this.context = context;
    context.mayFail("clCreateCommandQueue");
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      handle =
          context.check(
              clCreateCommandQueue(
                  context.handle(),
                  context.device().handle(),
                  timed ? CL_QUEUE_PROFILING_ENABLE : 0,
                  code),
              code,
              "clCreateCommandQueue");
    }
    LiveObjects.opened(KIND);
  }

  long handle() {
    return handle;
  }

  DeviceContext context() {
    return context;
  }

  /** Checks an enqueue; there is something to flush then. */
  private void enqueued(int code, String call) {
    context.check(code, call);
    unflushed = true;
  }

  /**
   * Enqueues a kernel.
   *
   * @param dimensions of its range
   * @param range address of the global sizes
   * @param local address of the sizes of a group, or 0 for the driver's choice
   * @param count number of events to wait for
   * @param events their addresses in native memory
   * @param event where its event goes, or 0 for none
   */
  void kernel(
      long kernel, int dimensions, long range, long local, int count, long events, long event) {
    context.mayFail("clEnqueueNDRangeKernel");
    enqueued(
        nclEnqueueNDRangeKernel(
            handle, kernel, dimensions, 0, range, local, count, count == 0 ? 0 : events, event),
        "clEnqueueNDRangeKernel");
  }

  /** Enqueues a marker after {@code count} events. */
  void marker(int count, long events, long event) {
    context.mayFail("clEnqueueMarkerWithWaitList");
    enqueued(
        nclEnqueueMarkerWithWaitList(handle, count, count == 0 ? 0 : events, event),
        "clEnqueueMarkerWithWaitList");
  }

  /**
   * Enqueues a copy to host memory.
   *
   * @param buffer a cl_mem
   * @param host address
   */
  void toHost(long buffer, long offset, long bytes, long host) {
    context.mayFail("clEnqueueReadBuffer");
    enqueued(
        nclEnqueueReadBuffer(handle, buffer, 0, offset, bytes, host, 0, 0, 0),
        "clEnqueueReadBuffer");
  }

  /**
   * Enqueues a copy from host memory.
   *
   * @param buffer a cl_mem
   * @param host address
   * @param event where its event goes, or 0 for none
   */
  void fromHost(long buffer, long offset, long bytes, long host, long event) {
    context.mayFail("clEnqueueWriteBuffer");
    enqueued(
        nclEnqueueWriteBuffer(handle, buffer, 0, offset, bytes, host, 0, 0, event),
        "clEnqueueWriteBuffer");
  }

  /** Enqueues a copy from one buffer to another, at the same offset. */
  void copy(DeviceBuffer from, DeviceBuffer to, long offset, long bytes) {
    context.mayFail("clEnqueueCopyBuffer");
    enqueued(
        nclEnqueueCopyBuffer(handle, from.handle(), to.handle(), offset, offset, bytes, 0, 0, 0),
        "clEnqueueCopyBuffer");
  }

  /**
   * Enqueues that memory of another API becomes this context's.
   *
   * @param buffers address of their handles
   */
  void acquire(int count, long buffers) {
    String call = "clEnqueueAcquireExternalMemObjectsKHR";
    context.mayFail(call);
    enqueued(context.external().acquire(handle, count, buffers), call);
  }

  /** Enqueues that it is no longer this context's; arguments as for {@link #acquire}. */
  void release(int count, long buffers) {
    String call = "clEnqueueReleaseExternalMemObjectsKHR";
    context.mayFail(call);
    enqueued(context.external().release(handle, count, buffers), call);
  }

  /** Maps the start of a buffer, to read and to write, and waits for that. */
  long map(DeviceBuffer buffer, long bytes) {
    context.mayFail("clEnqueueMapBuffer");
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      return context.check(
          nclEnqueueMapBuffer(
              handle,
              buffer.handle(),
              CL_TRUE,
              CL_MAP_READ | CL_MAP_WRITE,
              0,
              bytes,
              0,
              0,
              0,
              MemoryUtil.memAddress(code)),
          code,
          "clEnqueueMapBuffer of " + bytes + " bytes");
    }
  }

  /** Unmaps a buffer that is released next, so that nothing is left to do about an error. */
  void unmap(DeviceBuffer buffer, long mapped) {
    nclEnqueueUnmapMemObject(handle, buffer.handle(), mapped, 0, 0, 0);
    settle();
  }

  /** After a failed call: waits for what was enqueued before, whose host memory is freed next. */
  void settle() {
    clFinish(handle);
  }

  /** Waits for everything enqueued. */
  void finish() {
    context.mayFail("clFinish");
    context.check(clFinish(handle), "clFinish");
  }

  /** Has the driver start what was enqueued. */
  void flush() {
    if (unflushed) {
      context.mayFail("clFlush");
      unflushed = false;
      context.check(clFlush(handle), "clFlush");
    }
  }

  /** Copies bytes into a buffer and waits for that. Not for timed paths. */
  void write(DeviceBuffer to, long offset, byte[] bytes) {
    ByteBuffer stage = MemoryUtil.memAlloc(Math.min(CHUNK_BYTES, Math.max(1, bytes.length)));
    try {
      for (int at = 0; at < bytes.length; at += CHUNK_BYTES) {
        stage.clear().put(bytes, at, Math.min(CHUNK_BYTES, bytes.length - at)).flip();
        context.mayFail("clEnqueueWriteBuffer");
        context.check(
            clEnqueueWriteBuffer(handle, to.handle(), true, offset + at, stage, null, null),
            "clEnqueueWriteBuffer");
      }
    } finally {
      MemoryUtil.memFree(stage);
    }
  }

  /** Copies bytes from a buffer and waits for that. Not for timed paths. */
  void read(DeviceBuffer from, long offset, byte[] bytes) {
    ByteBuffer stage = MemoryUtil.memAlloc(Math.min(CHUNK_BYTES, Math.max(1, bytes.length)));
    try {
      for (int at = 0; at < bytes.length; at += CHUNK_BYTES) {
        int length = Math.min(CHUNK_BYTES, bytes.length - at);
        stage.clear().limit(length);
        context.mayFail("clEnqueueReadBuffer");
        context.check(
            clEnqueueReadBuffer(handle, from.handle(), true, offset + at, stage, null, null),
            "clEnqueueReadBuffer");
        stage.get(bytes, at, length);
      }
    } finally {
      MemoryUtil.memFree(stage);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      clReleaseCommandQueue(handle);
      LiveObjects.closed(KIND);
    }
  }
}
