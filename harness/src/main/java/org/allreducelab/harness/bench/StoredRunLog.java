package org.allreducelab.harness.bench;

import java.util.HashSet;
import java.util.Set;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.store.RunStore;

/** Keeps forks in a run folder. */
final class StoredRunLog implements RunLog {
  private final RunStore store;
  private final Set<ForkId> pending;

  StoredRunLog(RunStore store) {
    this.store = store;
    this.pending = new HashSet<>(store.pending());
  }

  @Override
  public boolean done(ForkId fork) {
    return !pending.contains(fork);
  }

  @Override
  public void keep(String caseId, ForkOutcome outcome) {
    if (outcome.choices() != null) {
      store.choose(caseId, outcome.choices());
    }
    if (outcome.measurement() == null) {
      store.save(caseId, outcome.record());
    } else {
      store.save(caseId, outcome.record(), outcome.measurement());
    }
  }
}
