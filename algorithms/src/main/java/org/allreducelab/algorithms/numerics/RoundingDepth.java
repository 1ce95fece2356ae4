package org.allreducelab.algorithms.numerics;

/**
 * The most roundings that one rank's value goes through on its way into the result.
 *
 * @param adds additions, ≥ 0: n - 1 for a chain, ⌈log2 n⌉ for a tree
 * @param folds combines that add, ≥ 0, at most {@code adds}: 1 for one-shot and two-shot. A value
 *     is narrowed once per fold when folds are carried in f32. The number of a schedule's rounds
 *     that add is an upper bound
 * @param wireRoundings passages through a wire type narrower than the element, ≥ 0
 */
public record RoundingDepth(int adds, int folds, int wireRoundings) {
  /**
   * @throws IllegalArgumentException if a part is negative or there are more folds than adds
   */
  public RoundingDepth {
    if (adds < 0 || folds < 0 || wireRoundings < 0 || folds > adds) {
      throw new IllegalArgumentException(
          "not a rounding depth: adds " + adds + ", folds " + folds + ", wire " + wireRoundings);
    }
  }
}
