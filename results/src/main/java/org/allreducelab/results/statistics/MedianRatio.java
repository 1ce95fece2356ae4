package org.allreducelab.results.statistics;

import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The ratio of two medians with a bootstrap confidence interval (percentile method, Efron).
 *
 * <p>Both samples are drawn again with replacement, independently, and the ratio taken; the
 * interval holds the middle share of the ratios. The same seed gives the same interval. With few
 * values the interval is too narrow: fewer than about eight per sample say little.
 */
public final class MedianRatio {
  private MedianRatio() {}

  /**
   * The median of the numerator over the median of the denominator.
   *
   * @param numerator positive values, one per fork
   * @param denominator positive values, one per fork
   * @param confidence share of the ratios inside the interval, between 0 and 1
   * @param resamples number of draws, ≥ 100
   * @param seed seed of the draws
   * @throws IllegalArgumentException if a sample is empty or holds something not finite and
   *     positive, or another argument is out of range
   */
  public static Interval bootstrap(
      double[] numerator, double[] denominator, double confidence, int resamples, long seed) {
    requirePositive("numerator", numerator);
    requirePositive("denominator", denominator);
    if (!(confidence > 0 && confidence < 1) || resamples < 100) {
      throw new IllegalArgumentException(
          "confidence must lie between 0 and 1 and resamples be at least 100");
    }
    RandomGenerator random = new Well19937c(seed);
    double[] ratios = new double[resamples];
    for (int i = 0; i < resamples; i++) {
      ratios[i] = median(redrawn(numerator, random)) / median(redrawn(denominator, random));
    }
    double tailPercent = 100 * (1 - confidence) / 2;
    return new Interval(
        StatUtils.percentile(ratios, tailPercent),
        median(numerator) / median(denominator),
        StatUtils.percentile(ratios, 100 - tailPercent));
  }

  private static double[] redrawn(double[] sample, RandomGenerator random) {
    double[] drawn = new double[sample.length];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = sample[random.nextInt(sample.length)];
    }
    return drawn;
  }

  private static double median(double[] sample) {
    return StatUtils.percentile(sample, 50);
  }

  private static void requirePositive(String name, double[] sample) {
    Samples.require(name, sample);
    for (double value : sample) {
      if (value <= 0) {
        throw new IllegalArgumentException(name + " holds " + value + "; a ratio needs positives");
      }
    }
  }
}
