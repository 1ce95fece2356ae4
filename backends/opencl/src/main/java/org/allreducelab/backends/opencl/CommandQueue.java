package org.allreducelab.backends.opencl;

import static org.allreducelab.backends.opencl.ErrorCode.check;
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
    this.context = context;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      handle =
          check(
              clCreateCommandQueue(context.handle(), context.device().handle(), 0, code),
              code,
              "clCreateCommandQueue",
              context.label());
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
  void enqueued(int code, String call) {
    check(code, call, context.label());
    unflushed = true;
  }

  /** Enqueues a marker after {@code count} events. */
  void marker(int count, long events, long event) {
    enqueued(
        nclEnqueueMarkerWithWaitList(handle, count, count == 0 ? 0 : events, event),
        "clEnqueueMarkerWithWaitList");
  }

  /** Has the driver start what was enqueued. */
  void flush() {
    if (unflushed) {
      unflushed = false;
      check(clFlush(handle), "clFlush", context.label());
    }
  }

  /** Copies bytes into a buffer and waits for that. Not for timed paths. */
  void write(DeviceBuffer to, long offset, byte[] bytes) {
    ByteBuffer stage = MemoryUtil.memAlloc(Math.min(CHUNK_BYTES, Math.max(1, bytes.length)));
    try {
      for (int at = 0; at < bytes.length; at += CHUNK_BYTES) {
        stage.clear().put(bytes, at, Math.min(CHUNK_BYTES, bytes.length - at)).flip();
        check(
            clEnqueueWriteBuffer(handle, to.handle(), true, offset + at, stage, null, null),
            "clEnqueueWriteBuffer",
            context.label());
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
        check(
            clEnqueueReadBuffer(handle, from.handle(), true, offset + at, stage, null, null),
            "clEnqueueReadBuffer",
            context.label());
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
