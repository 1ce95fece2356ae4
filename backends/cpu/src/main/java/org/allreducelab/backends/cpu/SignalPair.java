package org.allreducelab.backends.cpu;

import org.allreducelab.backends.Backoff;
import org.allreducelab.backends.PaddedCounters;

/**
 * The signals that workers wait for, between two threads: so that a benchmark can time a hop, from
 * the store of one thread to the load of the other that sees it.
 *
 * <p>Each side is signalled by one thread, with values that only grow.
 */
public final class SignalPair {
  private final PaddedCounters progress = new PaddedCounters(2);

  /** Says that {@code side} (0 or 1) has got to {@code value}: a release store. */
  public void signal(int side, long value) {
    progress.so(side, value);
  }

  /** Waits, as a worker does, until {@code side} has got to {@code value}. */
  public void await(int side, long value) {
    for (int attempt = 0; progress.lv(side) < value; attempt++) {
      Backoff.pause(attempt);
    }
  }
}
