package org.allreducelab.algorithms.cost;

/**
 * A class of links between ranks.
 *
 * @param alphaNs latency of a step or message over it, ns
 * @param betaNsPerByte time of a byte over it, ns
 */
public record Link(double alphaNs, double betaNsPerByte) {
  /**
   * @throws IllegalArgumentException if a time is negative or not finite
   */
  public Link {
    CostModel.requireTime("alpha", alphaNs);
    CostModel.requireTime("beta", betaNsPerByte);
  }
}
