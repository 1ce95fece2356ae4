package org.allreducelab.backends.opencl;

import static org.allreducelab.backends.opencl.ErrorCode.check;
import static org.lwjgl.opencl.CL10.clEnqueueCopyBuffer;
import static org.lwjgl.opencl.CL10.clFinish;
import static org.lwjgl.opencl.CL10.nclEnqueueReadBuffer;
import static org.lwjgl.opencl.CL10.nclEnqueueWriteBuffer;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.BlockCheck;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.ProbeSweep;
import org.allreducelab.backends.probe.WrongByte;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;

/**
 * Two contexts and host memory between them: the writer's buffer is read to the host, the host's
 * bytes are written to the reader's, as {@link RankWork} does it; then the reader moves them on by
 * the API's copy or by a kernel.
 */
final class ProbeRig implements ProbeSweep.Mover, AutoCloseable {
  /** Bytes around a block that must stay as they are. */
  private static final int GUARD_BYTES = 64;

  private static final int TIMED_READS = 5;
  private static final int HOPS = 50;
  private static final int HOP_BYTES = 4;

  private final CommandQueue writing;
  private final CommandQueue reading;
  private final DeviceBuffer source;
  private final DeviceBuffer inbox;
  private final DeviceBuffer target;
  private final CopyKernel kernel;
  private final ByteBuffer host;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Closing made;

  /**
   * @param bytes of the largest block with what lies before it
   */
  ProbeRig(Device from, Device to, long bytes) {
    int size = Math.toIntExact(bytes + GUARD_BYTES);
    try (Closing closing = new Closing()) {
      DeviceContext writer = closing.keep(new DeviceContext(from));
      DeviceContext reader = closing.keep(new DeviceContext(to));
      writing = closing.keep(new CommandQueue(writer));
      reading = closing.keep(new CommandQueue(reader));
      source = closing.keep(new DeviceBuffer(writer, size));
      inbox = closing.keep(new DeviceBuffer(reader, size));
      target = closing.keep(new DeviceBuffer(reader, size));
      kernel = closing.keep(new CopyKernel(reading));
      host = MemoryUtil.memAlloc(size);
      closing.keep(() -> MemoryUtil.memFree(host));
      made = closing.handOver();
    }
  }

  @Override
  public @Nullable WrongByte move(Attempt attempt) {
    Block block = attempt.block();
    byte[] sent = new byte[Math.toIntExact(block.bytes())];
    random.nextBytes(sent);
    byte[] poison = new byte[Math.toIntExact(source.bytes())];
    Arrays.fill(poison, (byte) BlockCheck.POISON);
    inboxAndTarget(poison);
    host.clear().put(poison).clear();
    writing.write(source, block.offset(), sent);
    stage(block.offset(), block.bytes());
    engine(attempt.engine(), block.offset(), block.bytes());
    finish(reading);
    long low = Math.max(0, block.offset() - GUARD_BYTES);
    byte[] seen = new byte[Math.toIntExact(block.end() + GUARD_BYTES - low)];
    reading.read(target, low, seen);
    return BlockCheck.firstWrong(
        ByteBuffer.wrap(seen), (int) (block.offset() - low), ByteBuffer.wrap(sent));
  }

  private void inboxAndTarget(byte[] bytes) {
    reading.write(inbox, 0, bytes);
    reading.write(target, 0, bytes);
  }

  /** From the writer to the reader's inbox; the host waits in between. */
  private void stage(long offset, long bytes) {
    long at = MemoryUtil.memAddress0(host) + offset;
    writing.enqueued(
        nclEnqueueReadBuffer(writing.handle(), source.handle(), 0, offset, bytes, at, 0, 0, 0),
        "clEnqueueReadBuffer");
    finish(writing);
    reading.enqueued(
        nclEnqueueWriteBuffer(reading.handle(), inbox.handle(), 0, offset, bytes, at, 0, 0, 0),
        "clEnqueueWriteBuffer");
  }

  private void engine(Engine engine, long offset, long bytes) {
    if (engine == Engine.KERNEL) {
      kernel.enqueue(inbox, target, offset, bytes);
    } else {
      reading.enqueued(
          clEnqueueCopyBuffer(
              reading.handle(), inbox.handle(), target.handle(), offset, offset, bytes, null, null),
          "clEnqueueCopyBuffer");
    }
  }

  private static void finish(CommandQueue queue) {
    check(clFinish(queue.handle()), "clFinish", queue.context().label());
  }

  /** The best of a few, from the writer's buffer to the reader's target. */
  @Override
  public double readGbPerS(Engine engine, long bytes) {
    double best = 0;
    for (int i = 0; i < TIMED_READS; i++) {
      long startNs = System.nanoTime();
      stage(0, bytes);
      engine(engine, 0, bytes);
      finish(reading);
      best = Math.max(best, bytes / (double) (System.nanoTime() - startNs));
    }
    return best;
  }

  /** The median of a few words' ways from device to device. */
  @Override
  public double hopUs() {
    double[] us = new double[HOPS];
    for (int i = 0; i < HOPS; i++) {
      long startNs = System.nanoTime();
      stage(0, HOP_BYTES);
      finish(reading);
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
