package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.MemoryExporter;

/** A logical device that only makes memory for others. */
final class ExportSession implements MemoryExporter.Session {
  private final LogicalDevice device;
  private final List<ExportedMemory> made = new ArrayList<>();
  private boolean closed;

  ExportSession(PhysicalDevice physical) {
    device = DevicePool.take(physical, QueueChoices.family(physical, null), 1);
    SharedInstance.opened(this);
  }

  /**
   * Memory, and the buffer that it was made for.
   *
   * @param buffer on the session's device
   */
  private record ExportedMemory(DeviceBuffer buffer) implements MemoryExporter.Memory {
    @Override
    public long bytes() {
      return buffer.allocatedBytes();
    }

    @Override
    public int descriptor() {
      return buffer.descriptor(HandleType.OPAQUE_FD);
    }

    @Override
    public void close() {
      buffer.close();
    }
  }

  @Override
  public synchronized MemoryExporter.Memory memory(long bytes) {
    ExportedMemory memory =
        new ExportedMemory(DeviceBuffer.exported(device, bytes, HandleType.OPAQUE_FD));
    made.add(memory);
    return memory;
  }

  /** Also closes what its user has not closed, when the process ends. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      made.forEach(ExportedMemory::close);
      DevicePool.giveBack(device);
      SharedInstance.closed(this);
    }
  }
}
