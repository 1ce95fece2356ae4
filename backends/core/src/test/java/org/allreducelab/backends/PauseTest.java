package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PauseTest {
  /** In the past, a time that is spun for, and one that is slept for first. */
  @ParameterizedTest
  @ValueSource(longs = {-1_000_000, 50_000, 3_000_000})
  void neverEndsEarly(long durationNs) {
    long endNs = System.nanoTime() + durationNs;
    Pause.until(endNs);
    assertThat(System.nanoTime() - endNs).isNotNegative();
  }
}
