package org.allreducelab.backends;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters that only go up, each written by one thread and read by others.
 *
 * <p>128 bytes apart, and as far from the array's header: two cache lines, since adjacent ones are
 * fetched together. {@code lv} reads with acquire, {@code so} stores with release order: what a
 * thread wrote before {@code so} is seen by whoever reads that value, or a later one, with {@code
 * lv}.
 */
public final class PaddedCounters {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int STRIDE = 16;

  private final int count;
  private final long[] values;

  public PaddedCounters(int count) {
    this.count = count;
    values = new long[(count + 2) * STRIDE];
  }

  /** How many counters there are. */
  public int count() {
    return count;
  }

  public long lv(int index) {
    return (long) LONGS.getAcquire(values, (index + 1) * STRIDE);
  }

  /** Reads in one order with all volatile accesses, {@link #soFenced} among them. */
  public long vl(int index) {
    return (long) LONGS.getVolatile(values, (index + 1) * STRIDE);
  }

  public void so(int index, long value) {
    LONGS.setRelease(values, (index + 1) * STRIDE, value);
  }

  /** Stores so that the thread's later loads see what others stored before: a full fence. */
  public void soFenced(int index, long value) {
    LONGS.setVolatile(values, (index + 1) * STRIDE, value);
  }
}
