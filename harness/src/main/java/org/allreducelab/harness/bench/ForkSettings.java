package org.allreducelab.harness.bench;

import java.time.Duration;
import java.util.List;

/**
 * How each case is measured.
 *
 * @param forks JVMs per case, ≥ 1
 * @param warmup iterations whose samples are thrown away
 * @param measurement iterations whose samples count, at least one
 */
public record ForkSettings(int forks, Iterations warmup, Iterations measurement) {
  /**
   * What a fork costs beside its iterations, for estimates only: about 0.4 s for the JVM and JMH's
   * handshake, the rest until the compiler is done.
   */
  private static final Duration OVERHEAD = Duration.ofMillis(1200);

  /** Making and simulating a vector, per byte of every rank; likewise. */
  private static final long VECTOR_NS_PER_BYTE = 8;

  /**
   * @throws IllegalArgumentException if there is no fork or no measurement
   */
  public ForkSettings {
    if (forks < 1) {
      throw new IllegalArgumentException("forks must be at least 1, not " + forks);
    }
    if (measurement.count() < 1) {
      throw new IllegalArgumentException("at least one measurement iteration is needed");
    }
  }

  public ForkSettings withForks(int count) {
    return new ForkSettings(count, warmup, measurement);
  }

  /** Expected time of all forks of these cases. */
  public Duration estimate(List<? extends ForkCase> cases) {
    Duration oneForkOfEach = Duration.ZERO;
    for (ForkCase c : cases) {
      oneForkOfEach =
          oneForkOfEach
              .plus(OVERHEAD)
              .plus(c.runTime(this))
              .plusNanos(VECTOR_NS_PER_BYTE * c.ranks() * c.bytes());
    }
    return oneForkOfEach.multipliedBy(forks);
  }
}
