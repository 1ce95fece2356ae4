package org.allreducelab.backends.device;

import java.util.Arrays;

/**
 * What timestamps of one device say: when its steps started and ended, and whose they were.
 *
 * <p>Steps count for their stream: a rank, or the ranks that share a queue.
 *
 * <p>The counter wraps at its valid bits. Differences are taken modulo that and read as signed, so
 * they are right while everything lies within half of the counter's range.
 */
public final class DeviceSpan {
  private final int unusedBits;
  private final double nsPerTick;
  private final long[] ticksOfStream;
  private boolean any;
  private long origin;
  private long first;
  private long last;

  /**
   * @param validBits of the counter, 1 to 64
   */
  public DeviceSpan(int streams, int validBits, double nsPerTick) {
    unusedBits = 64 - validBits;
    this.nsPerTick = nsPerTick;
    ticksOfStream = new long[streams];
  }

  /** Adds a step of a stream. */
  public void add(int stream, long startTicks, long endTicks) {
    if (!any) {
      any = true;
      origin = startTicks;
    }
    first = Math.min(first, between(origin, startTicks));
    last = Math.max(last, between(origin, endTicks));
    ticksOfStream[stream] += between(startTicks, endTicks);
  }

  private long between(long from, long to) {
    return ((to - from) << unusedBits) >> unusedBits;
  }

  /**
   * From the first start to the last end, and the most that one stream's steps took together;
   * {@link DeviceTimes#UNKNOWN} without steps.
   */
  public DeviceTimes times() {
    if (!any) {
      return DeviceTimes.UNKNOWN;
    }
    return new DeviceTimes(
        nanoseconds(last - first), nanoseconds(Arrays.stream(ticksOfStream).max().orElse(0)));
  }

  private long nanoseconds(long ticks) {
    return Math.round(ticks * nsPerTick);
  }
}
