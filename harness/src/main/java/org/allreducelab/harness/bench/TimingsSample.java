package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.allreducelab.backends.Timings;
import org.jspecify.annotations.Nullable;

/**
 * What a collective says of where its time went, over a number of invocations.
 *
 * @param timings of each, at least one
 */
record TimingsSample(List<Timings> timings) {
  private static final int MOST = 200;
  private static final int LEAST = 9;
  private static final long TIME_NS = 200_000_000;

  /**
   * Runs for 0.2 s, but at least 9 times and at most 200 times; once, where nothing is measured.
   *
   * @param invocation runs once, until completion was seen
   * @param ofLast what the collective says of it
   */
  static TimingsSample take(Runnable invocation, Supplier<Timings> ofLast, LongSupplier nanoClock) {
    List<Timings> taken = new ArrayList<>();
    long start = nanoClock.getAsLong();
    while (taken.size() < MOST
        && (taken.size() < LEAST || nanoClock.getAsLong() - start < TIME_NS)) {
      invocation.run();
      taken.add(ofLast.get());
      if (taken.get(0).equals(Timings.NONE)) {
        break;
      }
    }
    return new TimingsSample(taken);
  }

  /** The median of one part, or null if an invocation lacks it. */
  @Nullable Long median(ToLongFunction<Timings> part) {
    long[] sorted = timings.stream().mapToLong(part).sorted().toArray();
    return sorted[0] == Timings.UNKNOWN ? null : Long.valueOf(sorted[sorted.length / 2]);
  }
}
