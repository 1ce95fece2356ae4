package org.allreducelab.harness.decode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepClockTest {
  private long nowNs = 1000;

  private StepClock clock(double rate) {
    StepClock clock = new StepClock(rate, () -> nowNs, until -> nowNs = Math.max(nowNs, until));
    clock.start();
    return clock;
  }

  @Test
  void inAClosedLoopAStepIsDueWhenItCanStart() {
    StepClock clock = clock(0);
    nowNs = 5000;
    assertThat(clock.awaitStart(3)).isEqualTo(5000);
  }

  @Test
  void inAnOpenLoopStepsWaitUntilTheyAreDue() {
    StepClock clock = clock(10);
    assertThat(clock.awaitStart(0)).isEqualTo(1000);
    assertThat(clock.awaitStart(2)).isEqualTo(200_001_000);
    assertThat(nowNs).isEqualTo(200_001_000);
  }

  /** A stall of 1 s delays ten steps, and each of them tells. */
  @Test
  void aStallCountsForEveryStepThatItDelays() {
    StepClock clock = clock(10);
    clock.awaitStart(0);
    nowNs += 1_000_000_000;
    for (int step = 1; step <= 9; step++) {
      long dueNs = clock.awaitStart(step);
      assertThat(nowNs - dueNs).isEqualTo(1_000_000_000 - step * 100_000_000L);
    }
    assertThat(clock.awaitStart(10)).isEqualTo(nowNs);
  }
}
