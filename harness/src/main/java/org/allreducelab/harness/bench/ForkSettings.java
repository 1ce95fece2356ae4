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

  /**
   * How long all forks of some cases take.
   *
   * @param time the iterations, and what a fork takes beside them
   * @param atLeast whether it may be far more: an iteration lasts until an invocation that it began
   *     is done, and how long that takes is not known before
   */
  public record Estimate(Duration time, boolean atLeast) {}

  /** Expected time of all forks of these cases. */
  public Estimate estimate(List<? extends ForkCase> cases) {
    boolean atLeast = false;
    Duration oneForkOfEach = Duration.ZERO;
    for (ForkCase c : cases) {
      oneForkOfEach =
          oneForkOfEach
              .plus(OVERHEAD)
              .plus(c.runTime(this))
              .plusNanos(VECTOR_NS_PER_BYTE * c.ranks() * c.bytes());
      atLeast |= c.slowInvocation().compareTo(measurement.time()) > 0;
    }
    return new Estimate(oneForkOfEach.multipliedBy(forks), atLeast);
  }
}
