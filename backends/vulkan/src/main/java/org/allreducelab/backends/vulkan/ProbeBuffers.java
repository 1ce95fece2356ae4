package org.allreducelab.backends.vulkan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeProgress;
import org.allreducelab.backends.probe.Reuse;

/** What bytes are moved through: the writer's own memory, the shared, and the reader's own. */
final class ProbeBuffers implements AutoCloseable {
  private final DeviceBuffer source;
  private final SharedBuffer shared;
  private final DeviceBuffer target;
  private final DeviceBuffer seen;
  private final byte[] pattern;
  private final Closing made;

  /**
   * @param bytes the size of the shared memory
   */
  ProbeBuffers(
      LogicalDevice writer,
      LogicalDevice reader,
      ProbeMode mode,
      long bytes,
      ProbeProgress progress) {
    try (Closing closing = new Closing()) {
      progress.step("share " + mode.memory() + " memory");
      shared = closing.keep(share(List.of(writer, reader), 0, bytes, mode));
      progress.step("write the pattern");
      source = closing.keep(DeviceBuffer.local(writer, bytes + ProbeMoves.SHIFT_RANGE));
      // Room for two blocks that went through one place.
      long landing =
          Math.max(bytes + ProbeMoves.GUARD_BYTES, 2 * Reuse.BYTES + 4 * ProbeMoves.GUARD_BYTES);
      target = closing.keep(DeviceBuffer.local(reader, landing));
      seen = closing.keep(DeviceBuffer.mapped(reader, landing));
      pattern = pattern(Math.toIntExact(bytes + ProbeMoves.SHIFT_RANGE));
      try (Transfers transfers = new Transfers(writer, Long.MAX_VALUE)) {
        transfers.write(writer.queue(0), source, 0, pattern);
      }
      made = closing.handOver();
    }
  }

  /** Memory that devices share as a mode says. */
  static SharedBuffer share(List<LogicalDevice> devices, int owner, long bytes, ProbeMode mode) {
    return mode.transport() == Transport.STAGED_HOST
        ? SharedBuffer.onHost(devices, owner, bytes)
        : SharedBuffer.exported(devices, owner, bytes, handleType(mode));
  }

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

  /** The writer's, filled with {@link #pattern}. */
  DeviceBuffer source() {
    return source;
  }

  /** The writer is its device 0, the reader 1. */
  SharedBuffer shared() {
    return shared;
  }

  /** The reader's. */
  DeviceBuffer target() {
    return target;
  }

  /** The reader's, as large as its target, and mapped. */
  DeviceBuffer seen() {
    return seen;
  }

  /** Random bytes. */
  byte[] pattern() {
    return pattern;
  }

  @Override
  public void close() {
    made.close();
  }
}
