package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlineTest {
  private long nowNs = 5;
  private final Deadline deadline = new Deadline(1_000_000_000, () -> nowNs);

  private boolean passedAfterMs(long ms) {
    nowNs += ms * 1_000_000;
    return deadline.passed();
  }

  @Test
  void passesWhenItsTimeIsOver() {
    assertThat(deadline.passed()).isFalse();
    for (int i = 0; i < 100; i++) {
      assertThat(passedAfterMs(10)).as("look %d", i).isFalse();
    }
    assertThat(passedAfterMs(1)).isTrue();
    deadline.restart();
    assertThat(passedAfterMs(5000)).as("a new wait").isFalse();
    assertThat(deadline.leftNs()).isEqualTo(1_000_000_000);
  }

  @Test
  void aSuspendedProcessIsNotLate() {
    assertThat(deadline.passed()).isFalse();
    assertThat(passedAfterMs(60_000)).isFalse();
    assertThat(deadline.leftNs()).isEqualTo(900_000_000);
    for (int i = 0; i < 9; i++) {
      assertThat(passedAfterMs(60_000)).isFalse();
    }
    assertThat(passedAfterMs(1)).as("what does not end at all does pass").isTrue();
  }

  @Test
  void neverIsNever() {
    Deadline never = Deadline.never();
    assertThat(never.passed()).isFalse();
    assertThat(never.passed()).isFalse();
  }
}
