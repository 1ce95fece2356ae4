package org.allreducelab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BandwidthTest {
  @Test
  void twentyKibibytesInTwelveMicrosecondsOnFourRanks() {
    Bandwidth bandwidth = Bandwidth.of(20480, 12410, 4);
    assertThat(bandwidth.algbwGBs()).isCloseTo(1.6503, within(1e-4));
    assertThat(bandwidth.busbwGBs()).isCloseTo(2.4754, within(1e-4));
  }

  @Test
  void aGigabyteIsABillionBytes() {
    assertThat(Bandwidth.of(1_000_000_000, 1e9, 2)).isEqualTo(new Bandwidth(1.0, 1.0));
  }

  @Test
  void oneRankMovesNothing() {
    assertThat(Bandwidth.of(100, 10, 1)).isEqualTo(new Bandwidth(10.0, 0.0));
  }

  @Test
  void refusesNonsense() {
    assertThatIllegalArgumentException().isThrownBy(() -> Bandwidth.of(1, 0, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> Bandwidth.of(1, Double.NaN, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> Bandwidth.of(-1, 1, 2));
    assertThatIllegalArgumentException().isThrownBy(() -> Bandwidth.of(1, 1, 0));
  }
}
