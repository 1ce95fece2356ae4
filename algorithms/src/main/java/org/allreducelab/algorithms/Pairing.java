package org.allreducelab.algorithms;

/**
 * Who meets whom: in each of log2 p steps the p members meet in pairs, so that after all steps
 * every member has heard of every other exactly once.
 */
@FunctionalInterface
interface Pairing {

  /** The member that {@code member} meets in {@code step}; meeting is mutual. */
  int peer(int member, int step);

  /** Distances of a hypercube: members that differ in one bit. */
  static Pairing hypercube(int size, DistanceOrder order) {
    return switch (order) {
      case DESC -> (member, step) -> member ^ (size >> (step + 1));
      case ASC -> (member, step) -> member ^ (1 << step);
    };
  }

  /**
   * Swing's distances 1, −1, 3, −5, 11, …: (1−(−2)^(step+1))/3 for even members, the negative for
   * odd ones.
   */
  static Pairing swing(int size) {
    return (member, step) -> {
      int power = 1 << (step + 1);
      int distance = (step % 2 == 0 ? 1 + power : 1 - power) / 3;
      return Math.floorMod(member % 2 == 0 ? member + distance : member - distance, size);
    };
  }

  /** The same meetings in the opposite order. */
  default Pairing reversed(int steps) {
    return (member, step) -> peer(member, steps - 1 - step);
  }
}
