package org.allreducelab.backends.vulkan;

import java.util.Arrays;

/**
 * What timestamps of one device say: when its submissions started and ended, and whose they were.
 *
 * <p>The counter wraps at its valid bits. Differences are taken modulo that and read as signed, so
 * they are right while everything lies within half of the counter's range.
 */
final class DeviceSpan {
  private final int unusedBits;
  private final double nsPerTick;
  private final long[] ticksOfRank;
  private boolean any;
  private long origin;
  private long first;
  private long last;

  /**
   * @param validBits of the counter, 1 to 64
   */
  DeviceSpan(int ranks, int validBits, double nsPerTick) {
    unusedBits = 64 - validBits;
    this.nsPerTick = nsPerTick;
    ticksOfRank = new long[ranks];
  }

  /** Adds a submission of a rank. */
  void add(int rank, long startTicks, long endTicks) {
    if (!any) {
      any = true;
      origin = startTicks;
      first = 0;
      last = 0;
    }
    first = Math.min(first, between(origin, startTicks));
    last = Math.max(last, between(origin, endTicks));
    ticksOfRank[rank] += between(startTicks, endTicks);
  }

  private long between(long from, long to) {
    return ((to - from) << unusedBits) >> unusedBits;
  }

  /** From the first start to the last end, nanoseconds; 0 without submissions. */
  long spanNs() {
    return nanoseconds(last - first);
  }

  /** The most that one rank's submissions took together, nanoseconds. */
  long busiestRankNs() {
    return nanoseconds(Arrays.stream(ticksOfRank).max().orElse(0));
  }

  private long nanoseconds(long ticks) {
    return Math.round(ticks * nsPerTick);
  }
}
