package org.allreducelab.harness.doctor;

import java.util.List;
import java.util.Set;
import org.allreducelab.harness.probes.ProbedMode;

/**
 * Every mode of a pair.
 *
 * @param pair which
 * @param modes in the backend's order, with those that nobody claims
 * @param cached those that were not tried now
 */
record PairReport(Pair pair, List<ProbedMode> modes, Set<ProbedMode> cached) {
  PairReport {
    modes = List.copyOf(modes);
    cached = Set.copyOf(cached);
  }
}
