package org.allreducelab.harness.bench;

import org.allreducelab.backends.Choices;
import org.allreducelab.results.Verification;

/** The objects that a fork verifies, times and verifies again. */
public interface ForkRig extends AutoCloseable {
  /** Compares every local rank's results; what is timed is in place afterwards. */
  Verification verify();

  /**
   * Runs once what has to be compiled before it is timed.
   *
   * @return how long its timed part took, in nanoseconds
   */
  long settlingRun();

  /** What the group runs with. */
  Choices choices();

  @Override
  void close();
}
