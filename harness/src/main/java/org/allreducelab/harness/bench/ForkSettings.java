package org.allreducelab.harness.bench;

import java.time.Duration;

/**
 * How each case is measured.
 *
 * @param forks JVMs per case, ≥ 1
 * @param warmup iterations whose samples are thrown away
 * @param measurement iterations whose samples count, at least one
 */
record ForkSettings(int forks, Iterations warmup, Iterations measurement) {
  /**
   * What a fork costs beside its iterations: starting a JVM, JMH's handshake, opening the group and
   * verifying twice. For estimates only: about 0.25 s of it is JMH and the JVM.
   */
  private static final Duration OVERHEAD = Duration.ofMillis(700);

  ForkSettings {
    if (forks < 1) {
      throw new IllegalArgumentException("forks must be at least 1, not " + forks);
    }
    if (measurement.count() < 1) {
      throw new IllegalArgumentException("at least one measurement iteration is needed");
    }
  }

  ForkSettings withForks(int count) {
    return new ForkSettings(count, warmup, measurement);
  }

  /** Expected time of all forks of that many cases. */
  Duration estimate(int cases) {
    return OVERHEAD
        .plus(warmup.total())
        .plus(measurement.total())
        .multipliedBy((long) cases * forks);
  }
}
