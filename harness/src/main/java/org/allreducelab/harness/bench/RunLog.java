package org.allreducelab.harness.bench;

import org.allreducelab.results.ForkId;

/** Where forks are kept. */
public interface RunLog {
  /** Whether an earlier session of the run has done this fork. */
  boolean done(ForkId fork);

  /** Keeps a fork, on disk when this returns. */
  void keep(String caseId, ForkOutcome outcome);
}
