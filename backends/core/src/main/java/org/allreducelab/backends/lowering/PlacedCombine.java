package org.allreducelab.backends.lowering;

import org.allreducelab.algorithms.schedule.Combine;

/**
 * A combine and the elementary intervals of its span.
 *
 * @param combine what it does
 * @param from index of the first interval
 * @param after index of the first interval after it, greater than {@code from}
 */
record PlacedCombine(Combine combine, int from, int after) {
  /** The rank that writes. */
  int rank() {
    return combine.rank();
  }
}
