package org.allreducelab.backends.opencl;

import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Engine;
import org.lwjgl.system.MemoryUtil;

/**
 * The way from one context to another, as {@link RankWork} goes it.
 *
 * <pre>
 *   writer                    host                   reader
 *   source ── ReadBuffer ──▶ bytes ── WriteBuffer ──▶ inbox ── an engine ──▶ target
 * </pre>
 */
final class HostWay implements AutoCloseable {
  private final CommandQueue writing;
  private final CommandQueue reading;
  private final DeviceBuffer source;
  private final DeviceBuffer inbox;
  private final DeviceBuffer target;
  private final CopyKernel kernel;
  private final long host;
  private final Closing made;

  /**
   * @param memory the host's, in between
   */
  HostWay(CommandQueue writing, CommandQueue reading, int bytes, SlotMemory memory) {
    this.writing = writing;
    this.reading = reading;
    try (Closing closing = new Closing()) {
      source = closing.keep(new DeviceBuffer(writing.context(), bytes));
      inbox = closing.keep(new DeviceBuffer(reading.context(), bytes));
      target = closing.keep(new DeviceBuffer(reading.context(), bytes));
      kernel = closing.keep(new CopyKernel(reading));
      host = MemoryUtil.memAddress(closing.keep(memory.make(writing, bytes, 4096)).bytes());
      made = closing.handOver();
    }
  }

  DeviceBuffer source() {
    return source;
  }

  DeviceBuffer inbox() {
    return inbox;
  }

  DeviceBuffer target() {
    return target;
  }

  /** Starts to read to the host. */
  void fetch(long offset, long bytes) {
    writing.toHost(source.handle(), offset, bytes, host + offset);
    writing.flush();
  }

  /** Waits for that, and starts to write to the reader. */
  void deliver(long offset, long bytes) {
    writing.finish();
    reading.fromHost(inbox.handle(), offset, bytes, host + offset, 0);
    reading.flush();
  }

  /** Starts to move on what the reader got. */
  void use(Engine engine, long offset, long bytes) {
    if (engine == Engine.KERNEL) {
      kernel.enqueue(inbox, target, offset, bytes);
    } else {
      reading.copy(inbox, target, offset, bytes);
    }
    reading.flush();
  }

  /** Waits until the reader is done. */
  void arrive() {
    reading.finish();
  }

  @Override
  public void close() {
    made.close();
  }
}
