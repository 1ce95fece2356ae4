package org.allreducelab.harness.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.backends.probe.Block;

/**
 * The blocks that a probe moves, small ones first, so that the first failure is the smallest.
 *
 * <p>Drivers were seen to fail where a copy crosses 2 MiB, a common page size of device memory:
 * sizes lie on both sides of it and of its multiples, and offsets make small blocks cross it too.
 */
final class Sweep {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long BIG_PAGE = 2 * MIB;

  /** A copy of that size was reported to lose the device where smaller ones passed. */
  static final long REPORTED_BYTES = 3_563_520;

  /** The last one makes any block of 8 bytes or more cross 2 MiB. */
  private static final long[] OFFSETS = {0, 4, 4 * KIB - 4, BIG_PAGE - 4};

  private Sweep() {}

  static List<Block> standard() {
    Set<Block> blocks = new LinkedHashSet<>();
    for (long bytes : new long[] {4, 64, KIB, 64 * KIB, MIB, REPORTED_BYTES}) {
      at(OFFSETS, bytes, blocks);
    }
    around(4 * KIB, OFFSETS, blocks);
    around(BIG_PAGE, OFFSETS, blocks);
    for (int pages : new int[] {2, 3, 4}) {
      around(pages * BIG_PAGE, new long[] {0, BIG_PAGE - 4}, blocks);
    }
    at(new long[] {0, 4}, 32 * MIB, blocks);
    at(new long[] {0}, 16 * MIB + 4, blocks);
    at(new long[] {0}, 64 * MIB, blocks);
    List<Block> sorted = new ArrayList<>(blocks);
    sorted.sort(Comparator.comparingLong(Block::bytes).thenComparingLong(Block::offset));
    return sorted;
  }

  private static void around(long border, long[] offsets, Set<Block> into) {
    for (long bytes : new long[] {border - 4, border, border + 4}) {
      at(offsets, bytes, into);
    }
  }

  private static void at(long[] offsets, long bytes, Set<Block> into) {
    for (long offset : offsets) {
      into.add(new Block(bytes, offset));
    }
  }
}
