package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.Schedule;

/**
 * An all-reduce algorithm: a pure function from (ranks, element count, granule) to a {@link
 * Schedule}.
 *
 * @implSpec {@link #plan} gives equal schedules for equal arguments, works for every {@code ranks}
 *     ≥ 1 and every {@code count} ≥ 0, and for one rank returns one round with one one-operand
 *     combine of the whole vector.
 */
public interface Algorithm {
  /** Chunk borders are multiples of 8 elements by default: 16-byte accesses for 2-byte types. */
  int DEFAULT_GRANULE = 8;

  /**
   * The canonical name, with parameters only where they differ from the default, for instance
   * {@code ring} or {@code recursive-doubling:distance=asc,fold=adjacent}.
   */
  String name();

  /** One line for lists and completion: what it does and where it wins. No full stop. */
  default String summary() {
    return name();
  }

  /**
   * Plans the all-reduce of {@code count} elements.
   *
   * @param ranks number of ranks, ≥ 1
   * @param count number of elements of the vector, ≥ 0
   * @param granule chunk borders are multiples of this many elements where the count allows, ≥ 1
   * @throws IllegalArgumentException if an argument is out of range
   */
  Schedule plan(int ranks, int count, int granule);

  /** Plans with the {@linkplain #DEFAULT_GRANULE default granule}. */
  default Schedule plan(int ranks, int count) {
    return plan(ranks, count, DEFAULT_GRANULE);
  }
}
