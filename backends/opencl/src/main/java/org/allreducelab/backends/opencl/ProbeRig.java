package org.allreducelab.backends.opencl;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.BlockCheck;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.Exchange;
import org.allreducelab.backends.probe.ProbeSweep;
import org.allreducelab.backends.probe.Reuse;
import org.allreducelab.backends.probe.Wrong;
import org.allreducelab.backends.probe.WrongByte;
import org.jspecify.annotations.Nullable;

/** Two contexts and {@linkplain HostWay the way} from the one to the other. */
final class ProbeRig implements ProbeSweep.Mover, AutoCloseable {
  /** Bytes around a block that must stay as they are. */
  private static final int GUARD_BYTES = 64;

  private static final int TIMED_READS = 5;
  private static final int HOPS = 50;
  private static final int HOP_BYTES = 4;

  private final int size;
  private final CommandQueue writing;
  private final CommandQueue reading;
  private final HostWay way;

  /** What lies between, as groups have it: of the writer, and of the reader for the way back. */
  private final SlotMemory outMemory;

  private final SlotMemory backMemory;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Closing made;

  /**
   * @param bytes of the largest block with what lies before it
   */
  ProbeRig(Device from, Device to, long bytes) {
    size = Math.toIntExact(bytes + GUARD_BYTES);
    outMemory = memoryOf(from);
    backMemory = memoryOf(to);
    try (Closing closing = new Closing()) {
      writing = closing.keep(new CommandQueue(closing.keep(new DeviceContext(from))));
      reading = closing.keep(new CommandQueue(closing.keep(new DeviceContext(to))));
      way = closing.keep(new HostWay(writing, reading, size, outMemory));
      made = closing.handOver();
    }
  }

  private static SlotMemory memoryOf(Device device) {
    return PinningProbe.obstacle(device).isEmpty() ? SlotMemory.PINNED : SlotMemory.PAGEABLE;
  }

  @Override
  public @Nullable WrongByte move(Engine engine, Block block) {
    byte[] sent = someBytes(block);
    reading.write(way.inbox(), 0, poison(size));
    handOver(engine, block, sent, block);
    return BlockCheck.firstWrong(arrived(block), start(block), ByteBuffer.wrap(sent));
  }

  /** The host waits between the commands of different contexts, as it does in a group. */
  @Override
  public @Nullable Wrong moveTwice(Engine engine, Reuse reuse) {
    byte[] first = someBytes(reuse.written());
    handOver(engine, reuse.written(), first, reuse.read());
    WrongByte wrong =
        BlockCheck.firstWrong(
            arrived(reuse.read()), start(reuse.read()), part(first, reuse.written(), reuse.read()));
    if (wrong != null) {
      return new Wrong(wrong, "at the first of two reads");
    }
    byte[] second = someBytes(reuse.again());
    handOver(engine, reuse.again(), second, reuse.again());
    return BlockCheck.afterReuse(
        arrived(reuse.again()),
        start(reuse.again()),
        ByteBuffer.wrap(second),
        part(first, reuse.written(), reuse.again()));
  }

  private byte[] someBytes(Block block) {
    byte[] bytes = new byte[Math.toIntExact(block.bytes())];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] poison(int bytes) {
    byte[] poison = new byte[bytes];
    Arrays.fill(poison, (byte) BlockCheck.POISON);
    return poison;
  }

  private static ByteBuffer part(byte[] bytes, Block whole, Block part) {
    return ByteBuffer.wrap(bytes, (int) (part.offset() - whole.offset()), (int) part.bytes())
        .slice();
  }

  /** Sends a block, and has the reader move on a part of it. */
  private void handOver(Engine engine, Block block, byte[] sent, Block part) {
    reading.write(way.target(), 0, poison(size));
    writing.write(way.source(), block.offset(), sent);
    way.fetch(block.offset(), block.bytes());
    way.deliver(block.offset(), block.bytes());
    way.use(engine, part.offset(), part.bytes());
    way.arrive();
  }

  private static long low(Block block) {
    return Math.max(0, block.offset() - GUARD_BYTES);
  }

  private static int start(Block block) {
    return (int) (block.offset() - low(block));
  }

  private ByteBuffer arrived(Block block) {
    byte[] seen = new byte[Math.toIntExact(block.end() + GUARD_BYTES - low(block))];
    reading.read(way.target(), low(block), seen);
    return ByteBuffer.wrap(seen);
  }

  /** The best of a few, from the writer's buffer to the reader's target. */
  @Override
  public double readGbPerS(Engine engine, long bytes) {
    double best = 0;
    for (int i = 0; i < TIMED_READS; i++) {
      long startNs = System.nanoTime();
      way.fetch(0, bytes);
      way.deliver(0, bytes);
      way.use(engine, 0, bytes);
      way.arrive();
      best = Math.max(best, bytes / (double) (System.nanoTime() - startNs));
    }
    return best;
  }

  @Override
  public OptionalDouble bothReadGbPerS(Engine engine, long bytes) {
    double best = 0;
    // Queues of its own: waiting for one way must not be waiting for the other.
    try (CommandQueue backWriting = new CommandQueue(reading.context());
        CommandQueue backReading = new CommandQueue(writing.context());
        HostWay back = new HostWay(backWriting, backReading, size, backMemory)) {
      for (int i = 0; i < TIMED_READS; i++) {
        long startNs = System.nanoTime();
        for (HostWay each : new HostWay[] {way, back}) {
          each.fetch(0, bytes);
        }
        for (HostWay each : new HostWay[] {way, back}) {
          each.deliver(0, bytes);
          each.use(engine, 0, bytes);
        }
        way.arrive();
        best = Math.max(best, bytes / (double) (System.nanoTime() - startNs));
        back.arrive();
      }
    }
    return OptionalDouble.of(best);
  }

  /** None: the host stands between the two devices, and neither reads what the other writes. */
  @Override
  public @Nullable Exchange exchange(Engine engine, long bytes) {
    return null;
  }

  /** The median of a few words' ways from device to device. */
  @Override
  public double hopUs() {
    double[] us = new double[HOPS];
    for (int i = 0; i < HOPS; i++) {
      long startNs = System.nanoTime();
      way.fetch(0, HOP_BYTES);
      way.deliver(0, HOP_BYTES);
      way.arrive();
      us[i] = (System.nanoTime() - startNs) / 1e3;
    }
    Arrays.sort(us);
    return us[HOPS / 2];
  }

  @Override
  public void close() {
    made.close();
  }
}
