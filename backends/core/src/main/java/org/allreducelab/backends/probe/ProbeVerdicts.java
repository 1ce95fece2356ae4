package org.allreducelab.backends.probe;

import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Sync;
import org.jspecify.annotations.Nullable;

/** What is known from earlier probes. A backend may build on it what no specification promises. */
@FunctionalInterface
public interface ProbeVerdicts {
  /** Nothing is known. */
  ProbeVerdicts NONE = (from, to, memory, sync) -> null;

  /**
   * How a mode of a directed pair did when it was last tried with these drivers, or null if it
   * never was.
   *
   * @param memory the kind of memory, as in {@link ProbeMode#memory()}
   */
  @Nullable ProbeVerdict of(Endpoint from, Endpoint to, String memory, Sync sync);

  /** Whether it was tried and every byte arrived. */
  default boolean good(Endpoint from, Endpoint to, String memory, Sync sync) {
    return of(from, to, memory, sync) == ProbeVerdict.OK;
  }
}
