package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.staging.StagingPolicies;
import org.allreducelab.backends.staging.StagingPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Staging memory that changes, fails to grow, and ranks that take no part. */
interface StagingContract extends ContractTheme {
  /**
   * Random sizes and algorithms, several in flight while capacities change under them, an inactive
   * rank whose input holds NaN, and messages in windows where a policy needs that.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "grow-only",
        "shrink",
        "shrink:1",
        "shrink-after:2",
        "size-classes",
        "split:1KiB",
        "fixed:4KiB"
      })
  default void capacitiesChangeUnderEnqueuedWork(String policyName) {
    int n = 3;
    Random random = new Random(policyName.hashCode());
    List<Algorithm> all = Algorithms.all();
    for (GroupSetup setup : subject().setups()) {
      StagingPolicy policy = StagingPolicies.named(policyName);
      GroupSpec.Builder spec =
          setup.spec(n).policy(policy).inactiveRanks(Set.of(1)).deadline(ContractSubject.PATIENCE);
      try (ContractBench bench = subject().bench(spec, Precision.F32, 1 << 15)) {
        List<ContractBench.Sized> prepared = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
          Algorithm algorithm = all.get(random.nextInt(all.size()));
          int count = random.nextInt(1 << random.nextInt(4, 14));
          prepared.add(bench.prepareWithin(policy, algorithm, count));
        }
        for (int s = 0; s < subject().sequencesPerPolicy(); s++) {
          int length = 1 + random.nextInt(5);
          for (int i = 0; i < length; i++) {
            bench.enqueue(prepared.get(random.nextInt(prepared.size())));
          }
          bench.requireRight(policyName + " on " + setup + ", sequence " + s);
        }
      }
    }
  }

  /** The first change fails that is not the first allocation: the group had a capacity before. */
  @Test
  default void anAllocationThatFailsDuringAGrowIsOneClearErrorAndLeaksNothing() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              if (n == 1) {
                return;
              }
              GroupSpec.Builder spec = setup.spec(n).faults(FaultPlan.failAllocation(n + 1));
              try (ContractBench bench = subject().bench(spec, Precision.BF16, 1 << 14)) {
                Collective small = bench.prepare("one-shot", 100, Operands.IN_PLACE);
                Collective large = bench.prepare("one-shot", 5000, Operands.IN_PLACE);
                bench.enqueue(small);
                assertThatThrownBy(large::enqueue)
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("no staging memory: 10000 bytes for rank 1");
                assertThatThrownBy(small::enqueue)
                    .as("terminal")
                    .isInstanceOf(BackendException.class);
              }
              assertThat(LiveObjects.snapshot()).as("after the failure on %s", setup).isEmpty();
            });
  }

  @Test
  default void inactiveRanksContributeNegativeZero() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              if (n == 1) {
                return;
              }
              for (Algorithm algorithm : Algorithms.all()) {
                GroupSpec.Builder spec = setup.spec(n).inactiveRanks(Set.of(n - 1));
                try (ContractBench bench = subject().bench(spec, Precision.BF16, 4096)) {
                  bench.enqueue(bench.prepare(algorithm.name(), 1001, Operands.OUT_OF_PLACE));
                  bench.enqueue(bench.prepare(algorithm.name(), 500, Operands.OUT_OF_PLACE));
                  bench.requireRight(algorithm.name() + " with an inactive rank on " + setup);
                }
              }
            });
  }
}
