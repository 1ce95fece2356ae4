package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.allreducelab.algorithms.numerics.Precision;
import org.junit.jupiter.api.Test;

/** What goes wrong gives one clear error in time, and leaves nothing behind. */
interface FailuresContract extends ContractTheme {
  @Test
  default void aStalledRankGivesADeadlineThatNamesRankOperationAndPeer() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              if (n == 1 || setup.placement() == Placement.SINGLE_QUEUE) {
                return;
              }
              int stalled = n - 1;
              GroupSpec.Builder spec =
                  setup
                      .spec(n)
                      .deadline(Duration.ofMillis(300))
                      .faults(FaultPlan.stall(stalled, 1));
              try (ContractBench bench = subject().bench(spec, Precision.BF16, 4096)) {
                Collective c = bench.prepare("ring", 1000, Operands.OUT_OF_PLACE);
                assertThatThrownBy(
                        () -> {
                          c.enqueue();
                          c.await();
                        })
                    .as(setup.toString())
                    .isInstanceOfSatisfying(
                        DeadlineException.class,
                        e -> {
                          assertThat(e.rank()).isBetween(0, n - 1);
                          assertThat(e.operation()).startsWith("round ");
                          if (e.rank() != stalled) {
                            assertThat(e.peer()).isBetween(0, n - 1).isNotEqualTo(e.rank());
                          }
                          assertThat(e).hasMessageContaining("rank " + stalled);
                        });
                assertThatThrownBy(c::enqueue).as("terminal").isInstanceOf(BackendException.class);
              }
              assertThat(LiveObjects.snapshot()).as("after the stall on %s", setup).isEmpty();
              try (ContractBench again = subject().bench(setup.spec(n), Precision.BF16, 4096)) {
                again.enqueue(again.prepare("ring", 1000, Operands.OUT_OF_PLACE));
                again.requireRight("a new group after a failed one on " + setup);
              }
            });
  }

  @Test
  default void aFlippedBitIsFound() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              if (n == 1) {
                return;
              }
              GroupSpec.Builder spec = setup.spec(n).faults(FaultPlan.flip(0, 0, 3, 6));
              try (ContractBench bench = subject().bench(spec, Precision.BF16, 4096)) {
                // In place every transport stages one-shot's inputs: peers read what owners
                // overwrite.
                bench.enqueue(bench.prepare("one-shot", 1000, Operands.IN_PLACE));
                assertThatThrownBy(() -> bench.requireRight("flipped bit on " + setup))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("element 1 ");
              }
            });
  }

  @Test
  default void aFailedStagingAllocationIsOneClearErrorAndLeaksNothing() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              if (n == 1) {
                return;
              }
              GroupSpec.Builder spec = setup.spec(n).faults(FaultPlan.failAllocation(1));
              try (ContractBench bench = subject().bench(spec, Precision.BF16, 4096)) {
                Collective c = bench.prepare("one-shot", 1000, Operands.IN_PLACE);
                assertThatThrownBy(c::enqueue)
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("staging");
              }
            });
  }

  @Test
  default void closingWithWorkInFlightFreesEverything() {
    subject()
        .forEachSetup(
            (setup, n) -> {
              try (ContractBench bench = subject().bench(setup.spec(n), Precision.BF16, 1 << 20)) {
                Collective c = bench.prepare("ring", 500_000, Operands.OUT_OF_PLACE);
                c.enqueue();
                c.enqueue();
              }
              assertThat(LiveObjects.snapshot())
                  .as("after closing in flight on %s", setup)
                  .isEmpty();
            });
  }
}
