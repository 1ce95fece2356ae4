package org.allreducelab.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MedianRatioTest {
  @Test
  void constantSamplesHaveAPointForAnInterval() {
    Interval interval =
        MedianRatio.bootstrap(new double[] {6, 6, 6}, new double[] {4, 4}, 0.95, 1000, 1);
    assertThat(interval).isEqualTo(new Interval(1.5, 1.5, 1.5));
  }

  @Test
  void oneSeedGivesOneInterval() {
    double[] a = normal(20, 10, 1);
    double[] b = normal(20, 8, 2);
    Interval interval = MedianRatio.bootstrap(a, b, 0.95, 2000, 7);
    assertThat(MedianRatio.bootstrap(a, b, 0.95, 2000, 7)).isEqualTo(interval);
    assertThat(MedianRatio.bootstrap(a, b, 0.95, 2000, 8)).isNotEqualTo(interval);
    assertThat(interval.contains(interval.estimate())).isTrue();
    assertThat(interval.contains(1.0)).isFalse();
  }

  /** 200 experiments: a 90 % interval must hold the truth in about 90 % of them. */
  @Test
  void coversTheTruthAboutAsOftenAsItSays() {
    int covered = 0;
    for (int i = 0; i < 200; i++) {
      Interval interval =
          MedianRatio.bootstrap(normal(25, 12, 2L * i), normal(25, 8, 2L * i + 1), 0.9, 400, i);
      covered += interval.contains(1.5) ? 1 : 0;
    }
    assertThat(covered).isBetween(165, 197);
  }

  @Test
  void moreConfidenceIsWider() {
    double[] a = normal(15, 10, 5);
    double[] b = normal(15, 10, 6);
    Interval narrow = MedianRatio.bootstrap(a, b, 0.5, 2000, 1);
    Interval wide = MedianRatio.bootstrap(a, b, 0.99, 2000, 1);
    assertThat(wide.low()).isLessThan(narrow.low());
    assertThat(wide.high()).isGreaterThan(narrow.high());
  }

  @Test
  void refusesWhatHasNoRatio() {
    double[] good = {1, 2};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MedianRatio.bootstrap(good, new double[] {0}, 0.95, 1000, 1))
        .withMessageContaining("denominator holds 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MedianRatio.bootstrap(new double[0], good, 0.95, 1000, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MedianRatio.bootstrap(good, good, 1.0, 1000, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MedianRatio.bootstrap(good, good, 0.95, 99, 1));
  }

  private static double[] normal(int size, double mean, long seed) {
    Random random = new Random(seed * 1_000_003 + 17);
    double[] sample = new double[size];
    for (int i = 0; i < size; i++) {
      sample[i] = mean * (1 + 0.05 * random.nextGaussian());
    }
    return sample;
  }
}
