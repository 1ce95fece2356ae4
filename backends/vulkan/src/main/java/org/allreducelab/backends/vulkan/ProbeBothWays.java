package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.Exchange;
import org.allreducelab.backends.probe.ProbeMode;
import org.jspecify.annotations.Nullable;

/** Memory for the way back, shared in the same mode, and what is measured with both sides busy. */
final class ProbeBothWays implements AutoCloseable {
  private static final int TIMED_READS = 4;

  private final ProbeSide writing;
  private final ProbeSide reading;
  private final ProbeSignals signals;
  private final ProbeBuffers buffers;
  private final long bytes;
  private final SharedBuffer back;
  private final DeviceBuffer backTarget;
  private final @Nullable ProbeExchange exchange;
  private final Closing made;

  /**
   * @param bytes what each side reads
   */
  ProbeBothWays(
      ProbeSide writing,
      ProbeSide reading,
      ProbeSignals signals,
      ProbeBuffers buffers,
      ProbeMode mode,
      long bytes) {
    this.writing = writing;
    this.reading = reading;
    this.signals = signals;
    this.buffers = buffers;
    this.bytes = bytes;
    List<LogicalDevice> devices = List.of(writing.device(), reading.device());
    try (Closing closing = new Closing()) {
      back = closing.keep(ProbeBuffers.share(devices, 1, bytes, mode));
      backTarget = closing.keep(DeviceBuffer.local(writing.device(), bytes));
      exchange =
          mode.transport() == Transport.STAGED_HOST && bytes >= ProbeExchange.LEAST_BYTES
              ? exchange(closing.keep(backSource()))
              : null;
      made = closing.handOver();
    }
  }

  /** As the writing side's source. */
  private DeviceBuffer backSource() {
    LogicalDevice device = reading.device();
    DeviceBuffer made = DeviceBuffer.local(device, buffers.pattern().length);
    try (Transfers transfers = new Transfers(device, Long.MAX_VALUE)) {
      transfers.write(device.queue(0), made, 0, buffers.pattern());
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private ProbeExchange exchange(DeviceBuffer backSource) {
    return new ProbeExchange(
        new ProbeExchange.End(
            writing, buffers.source(), 0, buffers.shared().on(0), back.on(0), backTarget),
        new ProbeExchange.End(
            reading,
            backSource,
            ProbeMoves.SHIFT_RANGE / 2,
            back.on(1),
            buffers.shared().on(1),
            buffers.target()),
        signals,
        buffers.pattern(),
        bytes);
  }

  /**
   * Each side writes to its own shared memory and reads the other's at once; null where the
   * transport writes nothing there, and where there is too little to halve.
   */
  @Nullable Exchange exchange(Engine engine) {
    return exchange == null ? null : exchange.run(engine);
  }

  /**
   * How fast the reading side reads while the writing side reads as much: each side writes, and
   * when both have, both read. The best of a few, in 1e9 bytes a second of the one direction.
   */
  double bothReadGbPerS(Engine engine) {
    double best = 0;
    for (int i = 0; i < TIMED_READS; i++) {
      move(
          Engine.COPY,
          new Way(buffers.source(), buffers.shared().on(0), false),
          new Way(buffers.target(), back.on(1), false));
      long ns =
          move(
              engine,
              new Way(back.on(0), backTarget, true),
              new Way(buffers.shared().on(1), buffers.target(), true));
      best = Math.max(best, bytes / (double) ns);
    }
    return best;
  }

  /** From where to where a side copies, and whether the peer wrote what it copies. */
  private record Way(DeviceBuffer from, DeviceBuffer to, boolean ofPeer) {}

  /** The nanoseconds until the reading side is done; returns when both are. */
  private long move(Engine engine, Way ofWriting, Way ofReading) {
    record(writing, engine, ofWriting, reading);
    record(reading, engine, ofReading, writing);
    long startNs = System.nanoTime();
    writing.submit(null, 0, signals.writer(), signals.nextOfWriter());
    reading.submit(null, 0, signals.reader(), signals.nextOfReader());
    signals.expect();
    signals.awaitReader();
    long ns = System.nanoTime() - startNs;
    signals.awaitWriter();
    return ns;
  }

  private void record(ProbeSide side, Engine engine, Way way, ProbeSide peer) {
    side.begin();
    if (way.ofPeer()) {
      side.acquire(engine, way.from(), peer);
    }
    side.copy(engine, way.from(), 0, way.to(), 0, bytes);
  }

  @Override
  public void close() {
    made.close();
  }
}
