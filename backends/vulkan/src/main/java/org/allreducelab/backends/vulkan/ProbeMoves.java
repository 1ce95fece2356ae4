package org.allreducelab.backends.vulkan;

import java.nio.ByteBuffer;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.BlockCheck;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.Reuse;
import org.allreducelab.backends.probe.Wrong;
import org.allreducelab.backends.probe.WrongByte;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;

/**
 * Moves blocks and compares every byte of them.
 *
 * <pre>
 *   writing side                          reading side
 *   source ──▶ shared, as it sees it  ══  shared, as it sees it ──▶ target ──▶ host
 *        then signals            ───────▶      waits for that
 * </pre>
 */
final class ProbeMoves {
  /** Bytes around a block that must keep their poison, where the buffer has them. */
  static final long GUARD_BYTES = 64;

  /** Blocks start at different places of the source, so that no two move the same bytes. */
  static final long SHIFT_RANGE = 1 << 20;

  private static final long SHIFT_STEP = 16 * 7919;

  private final ProbeSide writing;
  private final ProbeSide reading;
  private final ProbeSignals signals;
  private final ProbeBuffers buffers;
  private long moves;

  ProbeMoves(ProbeSide writing, ProbeSide reading, ProbeSignals signals, ProbeBuffers buffers) {
    this.writing = writing;
    this.reading = reading;
    this.signals = signals;
    this.buffers = buffers;
  }

  /** A block of the pattern, in the shared memory. */
  private record Sent(Block block, long shift) {
    /** A part of it. */
    Sent part(Block part) {
      return new Sent(part, shift + part.offset() - block.offset());
    }
  }

  /** A block with what lies around it, in the reader's memory. */
  private record Landing(long at, long low, long length) {
    static Landing of(Block block, long at) {
      long low = Math.max(0, at - GUARD_BYTES);
      return new Landing(at, low, at + block.bytes() + GUARD_BYTES - low);
    }
  }

  @Nullable WrongByte move(Engine engine, Block block) {
    Sent sent = next(block);
    Landing landing = Landing.of(block, block.offset());
    long written = signals.nextOfWriter();
    long read = signals.nextOfReader();
    signals.expect();
    // The reader starts first: should its wait be none, it reads before anything is written.
    read(engine, block, landing, written, read);
    write(engine, sent);
    writing.submit(null, 0, signals.writer(), written);
    signals.awaitWriter();
    signals.awaitReader();
    return BlockCheck.firstWrong(
        arrived(landing), (int) (landing.at() - landing.low()), bytes(sent));
  }

  /** Four submissions, two of each side, each but the first waiting for the other side's last. */
  @Nullable Wrong moveTwice(Engine engine, Reuse reuse) {
    Sent first = next(reuse.written());
    Sent second = next(reuse.again());
    Landing firstLanding = Landing.of(reuse.read(), GUARD_BYTES);
    Landing secondLanding =
        Landing.of(reuse.again(), firstLanding.low() + firstLanding.length() + GUARD_BYTES);
    long firstWritten = signals.nextOfWriter();
    long firstRead = signals.nextOfReader();
    long secondWritten = signals.nextOfWriter();
    long secondRead = signals.nextOfReader();
    signals.expect();
    read(engine, reuse.read(), firstLanding, firstWritten, firstRead);
    read(engine, reuse.again(), secondLanding, secondWritten, secondRead);
    write(engine, first);
    writing.submit(null, 0, signals.writer(), firstWritten);
    write(engine, second);
    writing.submit(signals.readerSeenByWriter(), firstRead, signals.writer(), secondWritten);
    signals.awaitWriter();
    signals.awaitReader();
    WrongByte wrong =
        BlockCheck.firstWrong(
            arrived(firstLanding), (int) GUARD_BYTES, bytes(first.part(reuse.read())));
    return wrong != null
        ? new Wrong(wrong, "at the first of two reads")
        : BlockCheck.afterReuse(
            arrived(secondLanding),
            (int) GUARD_BYTES,
            bytes(second),
            bytes(first.part(reuse.again())));
  }

  private Sent next(Block block) {
    return new Sent(block, moves++ * SHIFT_STEP % SHIFT_RANGE);
  }

  private void read(Engine engine, Block block, Landing landing, long written, long read) {
    DeviceBuffer target = buffers.target();
    reading.begin();
    reading.acquire(engine, buffers.shared().on(1), writing);
    reading.fill(target, landing.low(), landing.length(), BlockCheck.POISON_WORD);
    reading.barrier();
    reading.copy(
        engine, buffers.shared().on(1), block.offset(), target, landing.at(), block.bytes());
    reading.barrier();
    reading.copy(
        Engine.COPY, target, landing.low(), buffers.seen(), landing.low(), landing.length());
    reading.submit(signals.writerSeenByReader(), written, signals.reader(), read);
  }

  private void write(Engine engine, Sent sent) {
    writing.begin();
    writing.copy(
        engine,
        buffers.source(),
        sent.shift(),
        buffers.shared().on(0),
        sent.block().offset(),
        sent.block().bytes());
  }

  private ByteBuffer arrived(Landing landing) {
    return MemoryUtil.memByteBuffer(
        buffers.seen().mapped() + landing.low(), Math.toIntExact(landing.length()));
  }

  private ByteBuffer bytes(Sent sent) {
    return ByteBuffer.wrap(buffers.pattern(), (int) sent.shift(), (int) sent.block().bytes())
        .slice();
  }
}
