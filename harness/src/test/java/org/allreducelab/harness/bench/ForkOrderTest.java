package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.harness.bench.ForkOrder.Step;
import org.junit.jupiter.api.Test;

class ForkOrderTest {
  @Test
  void everyCaseHasItsForkBeforeAnyHasItsNext() {
    List<Step> steps = ForkOrder.of(20, 3, 7);

    assertThat(steps).hasSize(60).doesNotHaveDuplicates();
    for (int fork = 0; fork < 3; fork++) {
      int number = fork;
      assertThat(steps.subList(20 * fork, 20 * fork + 20)).allMatch(step -> step.fork() == number);
    }
  }

  @Test
  void passesAreShuffledDifferently() {
    List<Step> steps = ForkOrder.of(20, 2, 7);
    List<Integer> first = steps.subList(0, 20).stream().map(Step::caseIndex).toList();
    List<Integer> second = steps.subList(20, 40).stream().map(Step::caseIndex).toList();

    assertThat(first).isNotEqualTo(second).isNotEqualTo(first.stream().sorted().toList());
  }

  @Test
  void theSeedDecidesTheOrder() {
    assertThat(ForkOrder.of(20, 3, 7)).isEqualTo(ForkOrder.of(20, 3, 7));
    assertThat(ForkOrder.of(20, 3, 7)).isNotEqualTo(ForkOrder.of(20, 3, 8));
  }
}
