package org.allreducelab.backends.opencl;

import java.nio.ByteBuffer;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.device.HostMemory;
import org.lwjgl.system.MemoryUtil;

/**
 * Host memory that the driver makes: a buffer of CL_MEM_ALLOC_HOST_PTR, mapped as long as it lives.
 * Drivers of GPUs pin such memory, so that the device copies to and from it by itself; other host
 * memory goes through a copy of the driver's first. On an H200 (driver 580.159) a copy of 10 MiB
 * ran at 52 GB/s instead of 10.
 *
 * <p>What is relied on: the pointer that clEnqueueMapBuffer gives is the host's until it is
 * unmapped, and commands that read and write buffers take it as their host pointer (OpenCL 1.2,
 * 5.4.2, on mapped regions). To commands of other contexts it is host memory like any other. No
 * command uses the buffer itself, whose content is undefined while it is mapped. That the driver
 * pins it makes copies fast and not right: {@link RankWork} is the same with any host memory.
 */
final class PinnedMemory implements HostMemory {
  private final CommandQueue queue;
  private final DeviceBuffer buffer;
  private final long mapped;
  private final ByteBuffer bytes;
  private boolean closed;

  /**
   * @param queue of the context that makes it
   * @param alignment of its start; a power of two
   * @throws DriverException if the driver has none left
   */
  PinnedMemory(CommandQueue queue, int size, int alignment) {
    this.queue = queue;
    // The mapped address may be any.
    int whole = size + alignment;
    buffer = DeviceBuffer.onHost(queue.context(), whole);
    try {
      mapped = queue.map(buffer, whole);
    } catch (DriverException e) {
      buffer.close();
      throw e;
    }
    long start = mapped + alignment - 1 & -alignment;
    bytes = MemoryUtil.memByteBuffer(start, size);
  }

  @Override
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      queue.unmap(buffer, mapped);
      buffer.close();
    }
  }
}
