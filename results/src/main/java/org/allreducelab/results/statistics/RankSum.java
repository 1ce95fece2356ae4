package org.allreducelab.results.statistics;

import java.util.Arrays;

/**
 * The exact two-sided rank-sum test of Wilcoxon, Mann and Whitney: do two samples come from one
 * distribution?
 *
 * <p>All values are ranked together, equal values sharing the mean of their ranks. If both samples
 * have the same distribution, every choice of which ranks belong to the first is equally likely;
 * the p value is the share of choices whose rank sum lies at least as far from its mean as the
 * observed one. With ties this is the exact permutation distribution, not the table for untied
 * ranks and not the normal approximation, which is wrong for the handful of forks a run has
 * ({1,2,3} against {4,5,6}: exactly 0.1, approximately 0.0495).
 *
 * <p>The choices are counted by dynamic programming over doubled ranks, which are whole numbers:
 * {@code O(n · m · (n+m)²)} for sizes n and m.
 *
 * @param u the Mann–Whitney statistic of the first sample: pairs in which its value is the larger,
 *     equal pairs counting one half
 * @param p the two-sided p value, exact up to floating-point rounding
 */
public record RankSum(double u, double p) {
  /** Most values in both samples together; a count of choices still fits a double easily. */
  public static final int MAX_VALUES = 200;

  /**
   * Tests two samples.
   *
   * @throws IllegalArgumentException if one is empty, holds something not finite, or both together
   *     have more than {@value #MAX_VALUES} values
   */
  public static RankSum test(double[] first, double[] second) {
    Samples.require("first sample", first);
    Samples.require("second sample", second);
    int total = first.length + second.length;
    if (total > MAX_VALUES) {
      throw new IllegalArgumentException(
          total
              + " values; the exact test takes at most "
              + MAX_VALUES
              + ": compare one value per fork, not single samples");
    }
    double[] sorted = new double[total];
    System.arraycopy(first, 0, sorted, 0, first.length);
    System.arraycopy(second, 0, sorted, first.length, second.length);
    Arrays.sort(sorted);
    int[] doubledRanks = new int[total];
    for (int i = 0; i < total; i++) {
      doubledRanks[i] = doubledRank(sorted, sorted[i]);
    }
    int observed = 0;
    for (double value : first) {
      observed += doubledRank(sorted, value);
    }
    double[] choices = countChoices(doubledRanks, first.length);
    int smallest = first.length * (first.length + 1);
    return new RankSum(
        (observed - smallest) / 2.0, tailShare(choices, first.length * (total + 1), observed));
  }

  /** Twice the mean rank, counted from 1, of the values that equal this one. */
  private static int doubledRank(double[] sorted, double value) {
    int below = 0;
    int equal = 0;
    for (double other : sorted) {
      below += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    return 2 * below + equal + 1;
  }

  /** Number of choices of that many ranks, by their doubled sum. */
  private static double[] countChoices(int[] doubledRanks, int chosen) {
    int largest = Arrays.stream(doubledRanks).skip(doubledRanks.length - chosen).sum();
    double[][] counts = new double[chosen + 1][largest + 1];
    counts[0][0] = 1;
    for (int rank : doubledRanks) {
      for (int k = chosen; k >= 1; k--) {
        for (int sum = largest; sum >= rank; sum--) {
          counts[k][sum] += counts[k - 1][sum - rank];
        }
      }
    }
    return counts[chosen];
  }

  /** Share of the choices at least as far from the mean as the observed sum. */
  private static double tailShare(double[] choices, int mean, int observed) {
    double tail = 0;
    double all = 0;
    for (int sum = 0; sum < choices.length; sum++) {
      all += choices[sum];
      tail += Math.abs(sum - mean) >= Math.abs(observed - mean) ? choices[sum] : 0;
    }
    return tail / all;
  }
}
