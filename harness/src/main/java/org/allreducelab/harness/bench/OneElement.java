package org.allreducelab.harness.bench;

import java.util.function.LongSupplier;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.Operands;
import org.jspecify.annotations.Nullable;

/**
 * What signals between the ranks of a group cost just now: the time of an all-reduce of one
 * element, by recursive doubling.
 *
 * <p>It tells a slow machine from a slow algorithm: where forks of a case are far apart and this is
 * too, the ranks were far apart. (Two cores of a virtual machine that share a cache or do not: 60
 * and 200 ns; two threads that take turns on one core: 3 µs.)
 */
final class OneElement {
  /** Recorded in a row, so that the host's part in starting them counts little. */
  private static final int IN_A_ROW = 16;

  private static final int LEAST_TIMES = 3;

  /** Long enough that no single disturbance decides. */
  private static final long TIME_NS = 100_000_000;

  private OneElement() {}

  /**
   * The least time that one took, in nanoseconds; null for a single rank, which waits for nobody.
   * Overwrites the first element of every RECV buffer.
   *
   * @param group one with nothing in flight
   */
  static @Nullable Long latencyNs(Group group, LongSupplier nanoClock) {
    if (group.ranks() == 1) {
      return null;
    }
    Schedule schedule = Algorithms.named("recursive-doubling").plan(group.ranks(), 1);
    try (Collective collective = group.prepare(schedule, Operands.OUT_OF_PLACE, IN_A_ROW)) {
      long leastNs = Long.MAX_VALUE;
      long startNs = nanoClock.getAsLong();
      long endNs = startNs;
      for (int i = 0; i < LEAST_TIMES || endNs - startNs < TIME_NS; i++) {
        long beginNs = nanoClock.getAsLong();
        collective.enqueue();
        collective.await();
        endNs = nanoClock.getAsLong();
        leastNs = Math.min(leastNs, endNs - beginNs);
      }
      return leastNs / IN_A_ROW;
    }
  }
}
