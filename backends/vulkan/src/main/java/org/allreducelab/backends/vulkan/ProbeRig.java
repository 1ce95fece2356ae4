package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

import java.util.OptionalDouble;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.Exchange;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.ProbeSweep;
import org.allreducelab.backends.probe.Reuse;
import org.allreducelab.backends.probe.Wrong;
import org.allreducelab.backends.probe.WrongByte;
import org.jspecify.annotations.Nullable;

/** Two logical devices that share memory and signals in one mode. */
final class ProbeRig implements ProbeSweep.Mover, AutoCloseable {
  private final ProbeMode mode;
  private final boolean wayBack;
  private final ProbeSide writing;
  private final ProbeSide reading;
  private final ProbeSignals signals;
  private final ProbeBuffers buffers;
  private final ProbeMoves moves;
  private final ProbeSpeeds speeds;
  private final Closing made;
  private @Nullable ProbeBothWays bothWays;

  /**
   * @param wayBack whether the reader's memory can be shared in the same mode with the writer
   * @param bytes the size of the shared memory
   */
  ProbeRig(
      DevicePlace from,
      DevicePlace to,
      ProbeMode mode,
      boolean wayBack,
      long bytes,
      ProbeProgress progress) {
    this.mode = mode;
    this.wayBack = wayBack;
    GlslCompiler compiler = new GlslCompiler(SpirvCache.ofUser());
    try (Closing closing = new Closing()) {
      progress.step("open the devices");
      writing = closing.keep(new ProbeSide(from.device(), from.family(), compiler));
      reading = closing.keep(new ProbeSide(to.device(), to.family(), compiler));
      buffers =
          closing.keep(new ProbeBuffers(writing.device(), reading.device(), mode, bytes, progress));
      progress.step("share timelines, sync " + mode.sync().label());
      signals = closing.keep(new ProbeSignals(writing.device(), reading.device(), mode.sync()));
      moves = new ProbeMoves(writing, reading, signals, buffers);
      speeds = closing.keep(new ProbeSpeeds(writing, reading, signals, buffers));
      made = closing.handOver();
    }
  }

  /** A device and the family of its queue. */
  record DevicePlace(PhysicalDevice device, QueueFamily family) {}

  @Override
  public @Nullable WrongByte move(Engine engine, Block block) {
    return moves.move(engine, block);
  }

  @Override
  public @Nullable Wrong moveTwice(Engine engine, Reuse reuse) {
    return moves.moveTwice(engine, reuse);
  }

  @Override
  public double readGbPerS(Engine engine, long bytes) {
    return speeds.readGbPerS(engine, bytes);
  }

  @Override
  public OptionalDouble bothReadGbPerS(Engine engine, long bytes) {
    ProbeBothWays both = bothWays(bytes);
    return both == null ? OptionalDouble.empty() : OptionalDouble.of(both.bothReadGbPerS(engine));
  }

  @Override
  public @Nullable Exchange exchange(Engine engine, long bytes) {
    ProbeBothWays both = bothWays(bytes);
    return both == null ? null : both.exchange(engine);
  }

  private @Nullable ProbeBothWays bothWays(long bytes) {
    if (bothWays == null && wayBack) {
      bothWays = shareBack(bytes);
    }
    return bothWays;
  }

  /** Null if a driver refuses: that is a finding of the probe of the way back, not of this one. */
  private @Nullable ProbeBothWays shareBack(long bytes) {
    try {
      return new ProbeBothWays(writing, reading, signals, buffers, mode, bytes);
    } catch (DriverException e) {
      if (e.code() == VK_ERROR_DEVICE_LOST) {
        throw e;
      }
      return null;
    } catch (BackendException e) {
      return null;
    }
  }

  @Override
  public double hopUs() {
    return speeds.hopUs();
  }

  @Override
  public void close() {
    if (bothWays != null) {
      bothWays.close();
    }
    made.close();
  }
}
