package org.allreducelab.algorithms;

/**
 * Which ranks are folded into others first, so that a power of two remains. With p the largest
 * power of two ≤ n, n−p ranks are folded in.
 */
public enum FoldRule {
  /** Rank v+p into rank v, for v &lt; n−p; ranks 0..p−1 remain. */
  HIGH,
  /**
   * Rank 2v+1 into rank 2v, for v &lt; n−p; the even ranks of these pairs and all others remain.
   */
  ADJACENT
}
