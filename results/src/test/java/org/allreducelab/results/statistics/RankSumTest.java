package org.allreducelab.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankSumTest {
  @Test
  void threeAgainstThreeApart() {
    RankSum test = RankSum.test(new double[] {1, 2, 3}, new double[] {4, 5, 6});
    assertThat(test.p()).isCloseTo(0.1, within(1e-15));
    assertThat(test.u()).isZero();
    assertThat(RankSum.test(new double[] {4, 5, 6}, new double[] {1, 2, 3}).u()).isEqualTo(9);
  }

  /** Shares counted by hand: 2 of C(8,4) = 70, 2·4 of C(10,5) = 252, 2 of C(8,3) = 56. */
  @ParameterizedTest
  @CsvSource({"4, 4, 0, 0.0285714", "5, 5, 2, 0.0317460", "3, 5, 0, 0.0357143"})
  void exactProbabilities(int n, int m, int u, double p) {
    assertThat(RankSum.test(ranksWithU(n, m, u), others(n, m, u)).p()).isCloseTo(p, within(1e-7));
  }

  /** Two-sided 5 % critical values of U, from the usual tables (Mann and Whitney 1947). */
  @ParameterizedTest
  @CsvSource({
    "3, 5, 0",
    "4, 4, 0",
    "5, 5, 2",
    "5, 8, 6",
    "6, 6, 5",
    "7, 7, 8",
    "7, 9, 12",
    "8, 8, 13",
    "9, 9, 17",
    "10, 10, 23",
    "12, 12, 37",
    "15, 15, 64",
    "20, 20, 127"
  })
  void criticalValuesOfTheTables(int n, int m, int critical) {
    RankSum at = RankSum.test(ranksWithU(n, m, critical), others(n, m, critical));
    RankSum above = RankSum.test(ranksWithU(n, m, critical + 1), others(n, m, critical + 1));
    assertThat(at.u()).isEqualTo(critical);
    assertThat(at.p()).isLessThanOrEqualTo(0.05);
    assertThat(above.p()).isGreaterThan(0.05);
  }

  @Test
  void tiesAgreeWithCountingEveryChoice() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      double[] a = random.ints(1 + random.nextInt(5), 0, 4).asDoubleStream().toArray();
      double[] b = random.ints(1 + random.nextInt(5), 0, 4).asDoubleStream().toArray();
      assertThat(RankSum.test(a, b).p())
          .as(Arrays.toString(a) + " v " + Arrays.toString(b))
          .isCloseTo(byCounting(a, b), within(1e-12));
    }
  }

  @Test
  void equalSamplesSayNothing() {
    assertThat(RankSum.test(new double[] {2, 2}, new double[] {2, 2, 2}).p()).isEqualTo(1.0);
  }

  @Test
  void orderOfTheSamplesDoesNotMatter() {
    double[] a = {3, 1, 4, 1, 5};
    double[] b = {9, 2, 6, 5, 3, 5};
    assertThat(RankSum.test(a, b).p()).isEqualTo(RankSum.test(b, a).p());
  }

  @Test
  void refusesWhatItCannotTest() {
    double[] one = {1};
    assertThatIllegalArgumentException().isThrownBy(() -> RankSum.test(one, new double[0]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RankSum.test(new double[] {Double.NaN}, one));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RankSum.test(new double[200], one))
        .withMessageContaining("one value per fork");
    assertThat(RankSum.test(new double[100], new double[100]).p()).isEqualTo(1.0);
  }

  /** Values of the first sample among 1..n+m such that exactly u pairs favour it. */
  private static double[] ranksWithU(int n, int m, int u) {
    double[] ranks = new double[n];
    int left = u;
    for (int i = n - 1; i >= 0; i--) {
      int shift = Math.min(left, m);
      ranks[i] = i + 1 + shift;
      left -= shift;
    }
    return ranks;
  }

  private static double[] others(int n, int m, int u) {
    double[] first = ranksWithU(n, m, u);
    return IntStream.rangeClosed(1, n + m)
        .asDoubleStream()
        .filter(r -> Arrays.stream(first).noneMatch(f -> f == r))
        .toArray();
  }

  /** Every subset of positions, the statistic counted pair by pair. */
  private static double byCounting(double[] a, double[] b) {
    double[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    double mean = a.length * b.length / 2.0;
    double observed = Math.abs(pairs(all, (1 << a.length) - 1) - mean);
    int tail = 0;
    int choices = 0;
    for (int subset = 0; subset < 1 << all.length; subset++) {
      if (Integer.bitCount(subset) == a.length) {
        choices++;
        tail += Math.abs(pairs(all, subset) - mean) >= observed - 1e-9 ? 1 : 0;
      }
    }
    return (double) tail / choices;
  }

  private static double pairs(double[] all, int subset) {
    double u = 0;
    for (int i = 0; i < all.length; i++) {
      for (int j = 0; j < all.length; j++) {
        if ((subset >> i & 1) == 1 && (subset >> j & 1) == 0) {
          u += all[i] > all[j] ? 1 : all[i] == all[j] ? 0.5 : 0;
        }
      }
    }
    return u;
  }
}
