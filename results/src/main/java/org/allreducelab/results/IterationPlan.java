package org.allreducelab.results;

/**
 * JMH's warm-up or measurement in one fork.
 *
 * @param iterations number of iterations, ≥ 0
 * @param iterationMs length of one iteration
 */
public record IterationPlan(int iterations, long iterationMs) {

  /**
   * @throws IllegalArgumentException if a number is negative
   */
  public IterationPlan {
    if (iterations < 0 || iterationMs < 0) {
      throw new IllegalArgumentException("iterations and iterationMs must be at least 0");
    }
  }
}
