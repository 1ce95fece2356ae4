package org.allreducelab.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.allreducelab.backends.Backoff;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoreSharingTest {
  private int sleeps;
  private final CoreSharing sharing = new CoreSharing(() -> sleeps++);

  private void waits(int times, int pauses) {
    for (int i = 0; i < times; i++) {
      sharing.waited(pauses);
    }
  }

  @Test
  void manyWaitsInARowThatEndAfterAFewYieldsAreOneCore() {
    waits(127, Backoff.SPINS + 1);
    assertThat(sleeps).isZero();
    waits(1, Backoff.SPINS + 4);
    assertThat(sleeps).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 69, 1000})
  void waitsThatEndWhileSpinningOrAfterManyYieldsAreNot(int pauses) {
    waits(100_000, pauses);
    waits(127, Backoff.SPINS + 1);
    waits(1, pauses);
    waits(127, Backoff.SPINS + 1);
    assertThat(sleeps).isZero();
  }

  @Test
  void whereSleepingDoesNotHelpItIsTriedLessAndLess() {
    waits(128 + 256 + 512, Backoff.SPINS + 1);
    assertThat(sleeps).isEqualTo(3);
    waits(100 * (1 << 14), Backoff.SPINS + 1);
    assertThat(sleeps).isBetween(100, 110);
  }
}
