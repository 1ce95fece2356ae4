package org.allreducelab.backends.lowering;

import java.util.Arrays;
import java.util.Set;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.backends.Operands;

/** Where each rank's present value of each interval lies. */
final class ValueMap {
  private final boolean narrowsOwn;
  private final Space[][] location;

  /**
   * @param narrowsOwn whether a rank's own operand loses bits on the wire type
   */
  ValueMap(int ranks, int intervals, Operands operands, Set<Integer> inactive, boolean narrowsOwn) {
    this.narrowsOwn = narrowsOwn;
    location = new Space[ranks][intervals];
    Space initial = operands == Operands.IN_PLACE ? Space.RECV : Space.SEND;
    for (int rank = 0; rank < ranks; rank++) {
      Arrays.fill(location[rank], inactive.contains(rank) ? Space.NEGATIVE_ZERO : initial);
    }
  }

  Space location(int rank, int interval) {
    return location[rank][interval];
  }

  /**
   * Whether the combine has anything to do on that interval: a rank's copy of its own exact value
   * has not, once the value is where results lie.
   */
  boolean changes(Combine c, int interval) {
    boolean ownExactCopy = c.isCopy() && c.operand(0) == c.rank() && !narrowsOwn;
    return !ownExactCopy || location[c.rank()][interval] != Space.RECV;
  }

  /** Whether a write would destroy the value that peers still read in the same round. */
  boolean overwrites(int rank, int interval) {
    return location[rank][interval] == Space.RECV;
  }

  void write(int rank, int interval) {
    location[rank][interval] = Space.RECV;
  }
}
