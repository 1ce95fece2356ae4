package org.allreducelab.backends.vulkan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.BlockCheck;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeSweep;
import org.allreducelab.backends.probe.WrongByte;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;

/**
 * Two logical devices that share memory.
 *
 * <pre>
 *   writing side                          reading side
 *   source ──▶ shared, as it sees it  ══  shared, as it sees it ──▶ target ──▶ host
 *        then signals            ───────▶      waits for that
 * </pre>
 */
final class ProbeRig implements ProbeSweep.Mover, AutoCloseable {
  /** Bytes around a block that must keep their poison, where the buffer has them. */
  private static final long GUARD_BYTES = 64;

  /** Blocks start at different places of the source, so that no two move the same bytes. */
  private static final long SHIFT_RANGE = 1 << 20;

  private static final long SHIFT_STEP = 16 * 7919;
  private static final int HOPS_TO_AND_FRO = 50;
  private static final int HOP_BATCHES = 5;
  private static final int TIMED_READS = 4;

  private final ProbeSide writing;
  private final ProbeSide reading;
  private final ProbeSignals signals;
  private final Timeline gate;
  private final DeviceBuffer source;
  private final SharedBuffer shared;
  private final DeviceBuffer target;
  private final DeviceBuffer seen;
  private final byte[] pattern;
  private final Closing made;
  private long written;
  private long read;
  private long gated;
  private long moves;

  /**
   * @param bytes the end of the last block
   */
  ProbeRig(DevicePlace from, DevicePlace to, ProbeMode mode, long bytes, ProbeProgress progress) {
    GlslCompiler compiler = new GlslCompiler(SpirvCache.ofUser());
    try (Closing closing = new Closing()) {
      progress.step("open the devices");
      writing = closing.keep(new ProbeSide(from.device(), from.family(), compiler));
      reading = closing.keep(new ProbeSide(to.device(), to.family(), compiler));
      progress.step("share " + mode.memory() + " memory");
      List<LogicalDevice> devices = List.of(writing.device(), reading.device());
      shared =
          closing.keep(
              mode.transport() == Transport.STAGED_HOST
                  ? SharedBuffer.onHost(devices, 0, bytes)
                  : SharedBuffer.exported(devices, 0, bytes, handleType(mode)));
      progress.step("share timelines, sync " + mode.sync().label());
      signals = closing.keep(new ProbeSignals(writing.device(), reading.device(), mode.sync()));
      gate = closing.keep(Timeline.plain(writing.device()));
      progress.step("write the pattern");
      source = closing.keep(DeviceBuffer.local(writing.device(), bytes + SHIFT_RANGE));
      target = closing.keep(DeviceBuffer.local(reading.device(), bytes + GUARD_BYTES));
      seen = closing.keep(DeviceBuffer.mapped(reading.device(), bytes + GUARD_BYTES));
      pattern = pattern(Math.toIntExact(bytes + SHIFT_RANGE));
      try (Transfers transfers = new Transfers(writing.device(), Long.MAX_VALUE)) {
        transfers.write(writing.device().queue(0), source, 0, pattern);
      }
      made = closing.handOver();
    }
  }

  /** A device and the family of its queue. */
  record DevicePlace(PhysicalDevice device, QueueFamily family) {}

  private static HandleType handleType(ProbeMode mode) {
    for (HandleType type : HandleType.values()) {
      if (type.label().equals(mode.memory())) {
        return type;
      }
    }
    throw new IllegalArgumentException("no such memory: " + mode.memory());
  }

  private static byte[] pattern(int bytes) {
    byte[] pattern = new byte[bytes];
    ByteBuffer words = ByteBuffer.wrap(pattern).order(ByteOrder.LITTLE_ENDIAN);
    SplittableRandom random = new SplittableRandom(1);
    while (words.remaining() >= Long.BYTES) {
      words.putLong(random.nextLong());
    }
    return pattern;
  }

  @Override
  public @Nullable WrongByte move(Attempt attempt) {
    Block block = attempt.block();
    Engine engine = attempt.engine();
    long shift = moves++ * SHIFT_STEP % SHIFT_RANGE;
    long low = Math.max(0, block.offset() - GUARD_BYTES);
    long length = block.end() + GUARD_BYTES - low;
    written++;
    read++;
    signals.expect(written, read);
    // The reader starts first: should its wait be none, it reads before anything is written.
    reading.begin();
    reading.fill(target, low, length, BlockCheck.POISON_WORD);
    reading.barrier();
    reading.copy(engine, shared.on(1), block.offset(), target, block.offset(), block.bytes());
    reading.barrier();
    reading.copy(Engine.COPY, target, low, seen, low, length);
    reading.submit(signals.writerSeenByReader(), written, signals.reader(), read);

    writing.begin();
    writing.copy(engine, source, shift, shared.on(0), block.offset(), block.bytes());
    writing.submit(null, 0, signals.writer(), written);
    signals.awaitWriter(written);
    signals.awaitReader(read);
    return BlockCheck.firstWrong(
        MemoryUtil.memByteBuffer(seen.mapped() + low, Math.toIntExact(length)),
        (int) (block.offset() - low),
        ByteBuffer.wrap(pattern, (int) shift, (int) block.bytes()).slice());
  }

  /** How fast the reading side reads shared memory: the best of a few, in 1e9 bytes a second. */
  @Override
  public double readGbPerS(Engine engine, long bytes) {
    double best = 0;
    for (int i = 0; i < TIMED_READS; i++) {
      reading.begin();
      reading.copy(engine, shared.on(1), 0, target, 0, bytes);
      long startNs = System.nanoTime();
      reading.submit(null, 0, signals.reader(), ++read);
      signals.expect(written, read);
      signals.awaitReader(read);
      best = Math.max(best, bytes / (double) (System.nanoTime() - startNs));
    }
    return best;
  }

  /**
   * Mean time of a hop, the median of a few batches, in microseconds. A batch is a ball that the
   * two queues throw to and fro; all throws are enqueued before the first.
   */
  @Override
  public double hopUs() {
    double[] means = new double[HOP_BATCHES];
    for (int batch = 0; batch < HOP_BATCHES; batch++) {
      gated++;
      for (int i = 0; i < HOPS_TO_AND_FRO; i++) {
        writing.relay(
            i == 0 ? gate : signals.readerSeenByWriter(),
            i == 0 ? gated : read,
            signals.writer(),
            ++written);
        reading.relay(signals.writerSeenByReader(), written, signals.reader(), ++read);
      }
      signals.expect(written, read);
      long startNs = System.nanoTime();
      gate.signal(gated);
      signals.awaitReader(read);
      means[batch] = (System.nanoTime() - startNs) / 1e3 / (2 * HOPS_TO_AND_FRO);
    }
    java.util.Arrays.sort(means);
    return means[HOP_BATCHES / 2];
  }

  @Override
  public void close() {
    made.close();
  }
}
