package org.allreducelab.backends.opencl;

import java.util.List;
import org.lwjgl.system.MemoryUtil;

/** Buffers that commands of a queue acquire before use and release afterwards; often none. */
final class ExternalList implements AutoCloseable {
  private final int count;
  private final long handles;
  private boolean closed;

  ExternalList(List<DeviceBuffer> buffers) {
    count = buffers.size();
    handles = MemoryUtil.nmemAllocChecked((long) Long.BYTES * Math.max(1, count));
    for (int i = 0; i < count; i++) {
      MemoryUtil.memPutAddress(handles + (long) Long.BYTES * i, buffers.get(i).handle());
    }
  }

  /** Enqueues that they are acquired. */
  void acquire(CommandQueue queue) {
    if (count > 0) {
      queue.acquire(count, handles);
    }
  }

  /** Enqueues that they are released. */
  void release(CommandQueue queue) {
    if (count > 0) {
      queue.release(count, handles);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      MemoryUtil.nmemFree(handles);
    }
  }
}
