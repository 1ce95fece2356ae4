package org.allreducelab.harness.bench;

/** Runs one fork of one case. */
interface ForkRunner {
  /**
   * Runs a fork to its end. Whatever goes wrong in it is an outcome, not an exception.
   *
   * @param fork its number, from 0
   */
  ForkOutcome run(ForkCase forkCase, int fork);
}
