package org.allreducelab.backends.vulkan;

import java.nio.ByteBuffer;
import java.util.List;
import org.allreducelab.backends.probe.BlockCheck;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.Exchange;
import org.allreducelab.backends.probe.Wrong;
import org.allreducelab.backends.probe.WrongByte;
import org.jspecify.annotations.Nullable;

/**
 * Both sides write and read shared memory at once, as a staged all-reduce in pieces does: in turn
 * after turn each writes one half of its own block and reads the half of the peer's that the turn
 * before wrote.
 */
final class ProbeExchange {
  /** A side has two halves of whole 16 bytes. */
  static final long LEAST_BYTES = 32;

  private static final int TIMED_TURNS = 4;

  /** Every turn writes other bytes than those before it. */
  private static final long SHIFT_STEP = 16;

  private final List<End> ends;
  private final ProbeSignals signals;
  private final byte[] pattern;
  private final long half;
  private long turn;

  /**
   * @param writing the side whose timeline is the writer's
   * @param pattern what is at the start of both sources
   * @param bytes of each block, at least {@link #LEAST_BYTES}
   */
  ProbeExchange(End writing, End reading, ProbeSignals signals, byte[] pattern, long bytes) {
    ends = List.of(writing, reading);
    this.signals = signals;
    this.pattern = pattern;
    half = bytes / 2 & -16;
  }

  /**
   * What a side moves bytes between.
   *
   * @param source its own memory, from which it writes
   * @param sourceAt where in it, so that no two sides write the same bytes
   * @param own its block of shared memory
   * @param peers the other side's block
   * @param target its own memory, into which it reads
   */
  record End(
      ProbeSide side,
      DeviceBuffer source,
      long sourceAt,
      DeviceBuffer own,
      DeviceBuffer peers,
      DeviceBuffer target) {}

  /** The best of a few turns, and whether the last one read what the one before it wrote. */
  Exchange run(Engine engine) {
    takeTurn(engine);
    double best = 0;
    for (int i = 0; i < TIMED_TURNS; i++) {
      best = Math.max(best, half / (double) takeTurn(engine));
    }
    Wrong wrong = wrong(ends.get(0), ends.get(1));
    return new Exchange(best, wrong == null ? wrong(ends.get(1), ends.get(0)) : wrong);
  }

  /** The nanoseconds until both sides are done. */
  private long takeTurn(Engine engine) {
    record(engine, ends.get(0), ends.get(1));
    record(engine, ends.get(1), ends.get(0));
    long startNs = System.nanoTime();
    ends.get(0).side().submit(null, 0, signals.writer(), signals.nextOfWriter());
    ends.get(1).side().submit(null, 0, signals.reader(), signals.nextOfReader());
    signals.expect();
    signals.awaitWriter();
    signals.awaitReader();
    long ns = System.nanoTime() - startNs;
    turn++;
    return ns;
  }

  private void record(Engine engine, End end, End peer) {
    long written = halfAt(turn);
    long read = halfAt(turn + 1);
    end.side().begin();
    end.side().acquire(engine, end.peers(), peer.side());
    end.side()
        .copyBoth(
            engine,
            new ProbeSide.Way(end.source(), sourceAt(end, turn), end.own(), written),
            new ProbeSide.Way(end.peers(), read, end.target(), read),
            half);
  }

  private long halfAt(long ofTurn) {
    return ofTurn % 2 * half;
  }

  private long sourceAt(End end, long ofTurn) {
    return end.sourceAt() + halfAt(ofTurn) + ofTurn * SHIFT_STEP;
  }

  /** What is wrong with what a side read in the last turn; the peer wrote it in the one before. */
  private @Nullable Wrong wrong(End end, End peer) {
    byte[] arrived = new byte[Math.toIntExact(half)];
    LogicalDevice device = end.side().device();
    try (Transfers transfers = new Transfers(device, Long.MAX_VALUE)) {
      transfers.read(device.queue(0), end.target(), halfAt(turn), arrived);
    }
    long from = sourceAt(peer, turn - 2);
    WrongByte first =
        BlockCheck.firstWrong(
            ByteBuffer.wrap(arrived),
            0,
            ByteBuffer.wrap(pattern, Math.toIntExact(from), arrived.length).slice());
    return first == null ? null : new Wrong(first, "read by " + device.name());
  }
}
