package org.allreducelab.backends.probe;

import java.util.ArrayList;
import java.util.List;

/**
 * A place that is written, read, overwritten and read again, all of it enqueued before the host
 * waits for any of it. A device that keeps what it read of a peer's memory in a cache passes a
 * probe whose every step the host awaits, and gets old bytes here.
 *
 * @param written what is written first
 * @param read what of that is read
 * @param again what of {@code written} is then overwritten, and read
 */
public record Reuse(Block written, Block read, Block again) {
  /** The end of the last block of {@link #standard}. */
  public static final long BYTES = 1 << 20;

  /** Common sizes of a cache line are 64 and 128 bytes, in sectors of 32. */
  private static final long LINE_BYTES = 128;

  private static final long BLOCK_BYTES = 16;

  /**
   * @throws IllegalArgumentException if what is read was not written
   */
  public Reuse {
    for (Block part : List.of(read, again)) {
      if (part.offset() < written.offset() || part.end() > written.end()) {
        throw new IllegalArgumentException("expected a part of " + written + ", not " + part);
      }
    }
  }

  /** The same place twice. */
  static Reuse of(long bytes) {
    Block block = new Block(bytes, 0);
    return new Reuse(block, block, block);
  }

  /** Two blocks of a cache line. */
  private static Reuse neighbours(long readAt, long againAt) {
    return new Reuse(
        new Block(LINE_BYTES, 0), new Block(BLOCK_BYTES, readAt), new Block(BLOCK_BYTES, againAt));
  }

  /** Few and small: a cache that is wrong is wrong for every line. */
  public static List<Reuse> standard() {
    List<Reuse> all = new ArrayList<>();
    all.add(of(BLOCK_BYTES));
    all.add(neighbours(0, BLOCK_BYTES));
    all.add(neighbours(BLOCK_BYTES, 0));
    all.add(neighbours(0, LINE_BYTES - BLOCK_BYTES));
    all.add(of(4096));
    all.add(of(BYTES));
    return all;
  }

  /** How the block that is read last was used before. */
  public Place place() {
    return read.equals(again) ? Place.REUSED : Place.NEIGHBOUR;
  }
}
