package org.allreducelab.algorithms.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Prices against the closed forms of the literature, for counts that divide evenly. */
class CostModelTest {
  private static final double ALPHA = 1000;
  private static final double BETA = 0.25;
  private static final double GAMMA = 0.125;
  private static final CostModel BY_STEP = new CostModel(ALPHA, BETA, GAMMA);
  private static final CostModel BY_MESSAGE =
      new CostModel(ALPHA, BETA, GAMMA, AlphaCounts.MESSAGES);

  /**
   * Factors for n ranks and m bytes: {@code steps} of α when a step costs one, {@code messages}
   * when each message does; β times {@code wire}·m; γ times {@code added}·m.
   */
  private record Form(String name, Factors factors) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  private interface Factors {
    double[] of(int n, double log);
  }

  static Stream<Form> powersOfTwo() {
    return Stream.of(
        // steps, messages, wire, added
        new Form("naive", (n, log) -> new double[] {2, 2 * (n - 1), 2 * (n - 1), n - 1}),
        new Form("one-shot", (n, log) -> new double[] {1, n - 1, n - 1, n - 1}),
        new Form("two-shot", (n, log) -> new double[] {2, 2 * (n - 1), optimal(n), optimal(n) / 2}),
        new Form(
            "ring",
            (n, log) -> new double[] {2 * (n - 1), 2 * (n - 1), optimal(n), optimal(n) / 2}),
        new Form(
            "halving-doubling",
            (n, log) -> new double[] {2 * log, 2 * log, optimal(n), optimal(n) / 2}),
        new Form("swing", (n, log) -> new double[] {2 * log, 2 * log, optimal(n), optimal(n) / 2}),
        new Form(
            "circulant", (n, log) -> new double[] {2 * log, 2 * log, optimal(n), optimal(n) / 2}),
        new Form("recursive-doubling", (n, log) -> new double[] {log, log, log, log}),
        new Form("swing-latency", (n, log) -> new double[] {log, log, log, log}),
        new Form("binomial-tree", (n, log) -> new double[] {2 * log, 2 * log, 2 * log, log}));
  }

  private static double optimal(int n) {
    return 2 * (n - 1.0) / n;
  }

  @ParameterizedTest
  @MethodSource("powersOfTwo")
  void timesAreTheClosedForms(Form form) {
    for (int log = 1; log <= 6; log++) {
      int n = 1 << log;
      int count = n * 64;
      double m = 2.0 * count;
      double[] factors = form.factors().of(n, log);
      double data = factors[2] * m * BETA + factors[3] * m * GAMMA;
      Schedule schedule = Algorithms.named(form.name()).plan(n, count);
      assertThat(BY_STEP.price(schedule, Precision.BF16).timeNs())
          .as("%s by step at %d", form, n)
          .isCloseTo(factors[0] * ALPHA + data, within(1e-6));
      assertThat(BY_MESSAGE.price(schedule, Precision.BF16).timeNs())
          .as("%s by message at %d", form, n)
          .isCloseTo(factors[1] * ALPHA + data, within(1e-6));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring", "bidirectional-ring", "two-shot", "circulant"})
  void volumeIsOptimalForEveryNumberOfRanks(String name) {
    for (int n = 2; n <= 40; n++) {
      int count = n * 16;
      Cost cost = BY_STEP.price(Algorithms.named(name).plan(n, count), Precision.BF16);
      assertThat(cost.maxWireBytes()).isEqualTo(2L * (n - 1) * count / n * 2);
      assertThat(cost.totalWireBytes()).isEqualTo(n * cost.maxWireBytes());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8, 13, 16})
  void circulantNeedsLogarithmicallyManySteps(int n) {
    Cost cost = BY_STEP.price(Algorithms.named("circulant").plan(n, n * 16), Precision.BF16);
    int steps = 2 * (int) Math.ceil(Math.log(n) / Math.log(2));
    double m = 2.0 * n * 16;
    assertThat(cost.steps()).isEqualTo(steps);
    assertThat(cost.messages()).as("one message in, one out per rank").isEqualTo((long) steps * n);
    assertThat(cost.timeNs())
        .isCloseTo(
            steps * ALPHA + optimal(n) * m * BETA + optimal(n) / 2 * m * GAMMA, within(1e-6));
  }

  @Test
  void noAlgorithmMovesLessThanTheBound() {
    for (Algorithm algorithm : Algorithms.all()) {
      for (int n = 2; n <= 17; n++) {
        int count = 16 * n * 16;
        Cost cost = BY_STEP.price(algorithm.plan(n, count), Precision.BF16);
        assertThat(cost.totalWireBytes())
            .as("%s at %d", algorithm.name(), n)
            .isGreaterThanOrEqualTo(2L * (n - 1) * count * 2);
      }
    }
  }

  @Test
  void bytesOnTheWireAreOfTheWireTypeAndAddedBytesOfTheElementType() {
    Schedule schedule = Algorithms.named("recursive-doubling").plan(2, 100);
    Cost cost = BY_STEP.price(schedule, Precision.F32_BF16WIRE);
    assertThat(cost.maxWireBytes()).isEqualTo(200);
    assertThat(cost.timeNs()).isEqualTo(ALPHA + 200 * BETA + 400 * GAMMA);
    assertThat(BY_STEP.price(schedule, Precision.VULKAN_F16WIRE).maxWireBytes())
        .as("below the threshold the wire is wide")
        .isEqualTo(400);
  }

  @Test
  void aRoundLastsAsLongAsItsSlowestRank() {
    Round uneven =
        new Round(
            List.of(
                new Combine(0, new Span(0, 10), 1),
                new Combine(2, new Span(0, 4), 3),
                new Combine(2, new Span(6, 4), 3)));
    Cost cost = BY_MESSAGE.price(new Schedule(4, 10, List.of(uneven, uneven)), Precision.BF16);
    assertThat(cost.timeNs()).isEqualTo(2 * (ALPHA + 20 * BETA));
    assertThat(cost.messages()).as("two spans between the same ranks are one").isEqualTo(4);
    assertThat(cost).extracting(Cost::steps).isEqualTo(2);
    assertThat(cost.maxWireBytes()).isEqualTo(40);
    assertThat(cost.totalWireBytes()).isEqualTo(72);
  }

  @Test
  void nothingCrossesNothingIsPaid() {
    for (Algorithm algorithm : Algorithms.all()) {
      assertThat(BY_MESSAGE.price(algorithm.plan(1, 1000), Precision.BF16))
          .isEqualTo(new Cost(0, 0, 0, 0, 0));
      assertThat(BY_MESSAGE.price(algorithm.plan(5, 0), Precision.BF16))
          .isEqualTo(new Cost(0, 0, 0, 0, 0));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
  void timesMustBeTimes(double wrong) {
    assertThatThrownBy(() -> new CostModel(1, wrong, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("beta must be a time of at least 0 ns, not " + wrong);
  }
}
