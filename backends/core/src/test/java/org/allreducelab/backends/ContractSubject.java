package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.allreducelab.algorithms.numerics.Precision;

/**
 * A backend under the contract.
 *
 * @param backend the backend
 * @param setups the ways of opening groups that it must be right on
 * @param wholeMatrix whether every case runs, or a covering set of about a thousand
 * @param sequencesPerPolicy random sequences per staging policy and setup
 */
record ContractSubject(
    Backend backend, List<GroupSetup> setups, boolean wholeMatrix, int sequencesPerPolicy) {
  /** Bytes are checked here, not speed: software drivers on a busy machine take their time. */
  static final Duration PATIENCE = Duration.ofMinutes(2);

  /** What must give the simulator's bytes. */
  List<ContractCase> cases() {
    return wholeMatrix ? ContractCase.fullMatrix() : ContractCase.coveringSet();
  }

  /** Runs a test on every setup, with 1, 2, 3 and 8 ranks. */
  void forEachSetup(ObjIntConsumer<GroupSetup> test) {
    assertThat(setups).isNotEmpty();
    for (GroupSetup setup : setups) {
      for (int n : new int[] {1, 2, 3, 8}) {
        test.accept(setup, n);
      }
    }
  }

  /** Opens a group with inputs of every kind. */
  ContractBench bench(GroupSpec.Builder spec, Precision precision, int capacityBytes) {
    return new ContractBench(backend, spec, precision, capacityBytes);
  }
}
