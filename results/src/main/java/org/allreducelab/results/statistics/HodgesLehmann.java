package org.allreducelab.results.statistics;

import org.apache.commons.math3.stat.StatUtils;

/**
 * The Hodges–Lehmann estimate of a shift: the median of all differences between a value of one
 * sample and a value of the other. The estimate that belongs to {@link RankSum}; one wild value
 * hardly moves it.
 */
public final class HodgesLehmann {
  private HodgesLehmann() {}

  /**
   * By how much the second sample lies above the first.
   *
   * @throws IllegalArgumentException if a sample is empty or holds something not finite
   */
  public static double shift(double[] first, double[] second) {
    Samples.require("first sample", first);
    Samples.require("second sample", second);
    double[] differences = new double[Math.multiplyExact(first.length, second.length)];
    int next = 0;
    for (double a : first) {
      for (double b : second) {
        differences[next++] = b - a;
      }
    }
    return StatUtils.percentile(differences, 50);
  }
}
