package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class SettlingTest {
  private static final long MS = 1_000_000;

  private long nowNs;
  private long compiledMs;

  /** A run takes what the function says of the time in milliseconds. */
  private boolean settle(LongUnaryOperator runNsAtMs, LongUnaryOperator compiledMsAtMs) {
    Settling settling =
        new Settling(
            () -> nowNs,
            () -> {
              compiledMs = compiledMsAtMs.applyAsLong(nowNs / MS);
              return compiledMs;
            });
    return settling.run(
        () -> {
          long elapsed = runNsAtMs.applyAsLong(nowNs / MS);
          nowNs += elapsed;
          return elapsed;
        });
  }

  @Test
  void steadyCodeSettlesInTwoWindows() {
    assertThat(settle(ms -> MS, ms -> 0)).isTrue();
    assertThat(nowNs).isEqualTo(200 * MS);
  }

  @Test
  void codeThatGetsFasterIsWaitedFor() {
    assertThat(settle(ms -> Math.max(1, 64 >> (ms / 100)) * MS, ms -> 0)).isTrue();
    assertThat(nowNs).isBetween(700 * MS, 900 * MS);
  }

  @Test
  void aBusyCompilerIsWaitedFor() {
    assertThat(settle(ms -> MS, ms -> Math.min(ms, 1000) / 2)).isTrue();
    assertThat(nowNs).isBetween(1100 * MS, 1200 * MS);
  }

  @Test
  void givesUpAfterFiveSeconds() {
    assertThat(settle(ms -> MS, ms -> ms)).isFalse();
    assertThat(nowNs).isEqualTo(5000 * MS);
  }

  @Test
  void oneRunMayBeLongerThanAWindow() {
    assertThat(settle(ms -> 300 * MS, ms -> 0)).isTrue();
    assertThat(nowNs).isEqualTo(600 * MS);
  }
}
