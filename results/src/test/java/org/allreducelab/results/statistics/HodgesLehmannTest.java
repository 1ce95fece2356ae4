package org.allreducelab.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class HodgesLehmannTest {
  @Test
  void isTheMedianOfAllDifferences() {
    // Differences of {1, 2, 4} to {5, 7}: 4 6, 3 5, 1 3; sorted 1 3 3 4 5 6.
    assertThat(HodgesLehmann.shift(new double[] {1, 2, 4}, new double[] {5, 7})).isEqualTo(3.5);
    assertThat(HodgesLehmann.shift(new double[] {5, 7}, new double[] {1, 2, 4})).isEqualTo(-3.5);
  }

  @Test
  void oneWildValueHardlyMovesIt() {
    double[] a = {10, 11, 12, 13, 14};
    double[] b = {20, 21, 22, 23, 2400};
    assertThat(HodgesLehmann.shift(a, b)).isBetween(10.0, 11.0);
  }

  @Test
  void refusesEmptySamples() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HodgesLehmann.shift(new double[0], new double[] {1}));
  }
}
