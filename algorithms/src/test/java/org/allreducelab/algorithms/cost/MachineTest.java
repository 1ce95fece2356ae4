package org.allreducelab.algorithms.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MachineTest {
  private static final Link NEAR = new Link(1000, 0.25);
  private static final Link FAR = new Link(10_000, 2);

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  /** Formulas and schedules agree wherever both can be had. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void closedFormsAreThePricesOfTheSchedules(Algorithm algorithm) {
    Machine machine = Machine.flat(NEAR, 0.125, AlphaCounts.STEPS);
    for (int n = 1; n <= 40; n++) {
      int count = 64 * n * Math.max(1, Integer.highestOneBit(n));
      double priced = machine.price(algorithm.plan(n, count, 1), Precision.F32).timeNs();
      ClosedForm form = ClosedForm.of(algorithm, n).orElseThrow();
      assertThat(form.timeNs(NEAR, 0.125, 4L * count, 4L * count))
          .as("%s at %d", algorithm.name(), n)
          .isCloseTo(priced, within(priced * 1e-9));
    }
  }

  @Test
  void parametersDoNotChangeTheForm() {
    assertThat(ClosedForm.of(Algorithms.named("halving-doubling:distance=asc"), 6))
        .isEqualTo(ClosedForm.of(Algorithms.named("halving-doubling"), 6));
  }

  /** Rank 1 reads from its own node and from the other one at the same time: the slower counts. */
  @Test
  void thePortsOfTheTwoLevelsWorkAtTheSameTime() {
    Round round =
        new Round(
            List.of(
                new Combine(1, new Span(0, 100), 1, 0), new Combine(1, new Span(100, 10), 1, 2)));
    Machine machine = new Machine(NEAR, FAR, 2, 0, AlphaCounts.STEPS);
    Cost cost = machine.price(new Schedule(4, 110, List.of(round)), Precision.F32);
    assertThat(cost.timeNs()).isEqualTo(Math.max(1000 + 0.25 * 400, 10_000 + 2 * 40));
    assertThat(cost.maxWireBytes()).isEqualTo(440);
  }

  /** With one rank per node every link is far. */
  @Test
  void aRankPerNodeIsOneLevelToo() {
    Schedule schedule = Algorithms.named("ring").plan(5, 1000);
    assertThat(new Machine(NEAR, FAR, 1, 0.1, AlphaCounts.STEPS).price(schedule, Precision.BF16))
        .isEqualTo(Machine.flat(FAR, 0.1, AlphaCounts.STEPS).price(schedule, Precision.BF16));
  }

  @Test
  void oneNodeIsOneLevel() {
    Schedule schedule = Algorithms.named("swing").plan(8, 1000);
    assertThat(new Machine(NEAR, FAR, 8, 0.1, AlphaCounts.MESSAGES).price(schedule, Precision.BF16))
        .isEqualTo(Machine.flat(NEAR, 0.1, AlphaCounts.MESSAGES).price(schedule, Precision.BF16));
    assertThatThrownBy(() -> new Machine(NEAR, FAR, 0, 0, AlphaCounts.STEPS))
        .hasMessage("a node needs at least 1 rank, not 0");
  }
}
