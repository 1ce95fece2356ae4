package org.allreducelab.results.statistics;

/** Checks that all statistics here share. */
final class Samples {
  private Samples() {}

  /**
   * @throws IllegalArgumentException if the sample is empty or holds something not finite
   */
  static double[] require(String name, double[] sample) {
    if (sample.length == 0) {
      throw new IllegalArgumentException(name + " is empty");
    }
    for (double value : sample) {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(name + " holds " + value);
      }
    }
    return sample;
  }
}
