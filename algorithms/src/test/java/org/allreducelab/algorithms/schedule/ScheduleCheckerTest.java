package org.allreducelab.algorithms.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the checker says of schedules that are broken on purpose, and of small ones done by hand.
 */
class ScheduleCheckerTest {
  private static final Span WHOLE = new Span(0, 8);

  private static ScheduleReport check(int ranks, Precision precision, Round... rounds) {
    return ScheduleChecker.check(new Schedule(ranks, 8, List.of(rounds)), precision);
  }

  private static ScheduleReport check(int ranks, Round... rounds) {
    return check(ranks, Precision.BF16, rounds);
  }

  private static Round round(Combine... combines) {
    return new Round(List.of(combines));
  }

  private static Combine combine(int rank, int... operands) {
    return new Combine(rank, WHOLE, operands);
  }

  @Test
  void aMissingOperandIsNamed() {
    ScheduleReport report =
        check(3, round(combine(0, 0, 1, 2), combine(1, 0, 1), combine(2, 0, 1, 2)));
    assertThat(report.correct()).isFalse();
    assertThat(report.fault()).contains("rank 1, elements [0,8): missing rank 2");
  }

  @Test
  void aDoubledOperandIsNamed() {
    ScheduleReport report = check(2, round(combine(0, 0, 1), combine(1, 0, 1, 1)));
    assertThat(report.fault()).contains("rank 1, elements [0,8): more than once: rank 1 (2 times)");
  }

  @Test
  void oneMissingAndOneDoubledIsNoAllReduceThoughTheNumberOfLeavesIsRight() {
    ScheduleReport report = check(3, round(combine(0, 0, 1, 1), combine(1, 0, 1, 2)));
    assertThat(report.fault())
        .contains("rank 0, elements [0,8): missing rank 2; more than once: rank 1 (2 times)");
  }

  @Test
  void onlyTheFaultyElementsAreNamed() {
    ScheduleReport report =
        check(
            2,
            round(
                new Combine(0, new Span(0, 3), 0, 1),
                new Combine(0, new Span(5, 3), 0, 1),
                combine(1, 0, 1)));
    assertThat(report.fault()).contains("rank 0, elements [3,5): missing rank 1");
  }

  @Test
  void manyRanksAreCounted() {
    Round everybodyButFew = round(combine(0, 0, 1));
    assertThat(check(12, everybodyButFew).fault())
        .contains("rank 0, elements [0,8): missing ranks 2, 3, 4, 5, 6, 7, 8, 9 and 2 more");
  }

  @Test
  void endlessDoublingSaturatesAndIsStillAFault() {
    Round[] rounds = new Round[200];
    Arrays.fill(rounds, round(combine(0, 0, 1), combine(1, 0, 1)));
    assertThat(check(2, rounds).fault()).get().asString().contains("more than once");
  }

  @Test
  void ownRankFirstMakesRanksDiffer() {
    Round ownFirst = round(combine(0, 0, 1, 2), combine(1, 1, 0, 2), combine(2, 2, 0, 1));
    ScheduleReport report = check(3, ownFirst);
    assertThat(report.correct()).isTrue();
    assertThat(report.identical()).isFalse();
    assertThat(report.disagreement())
        .contains("ranks 0 and 2, elements [0,8): added or rounded in another order");
  }

  @Test
  void additionCommutes() {
    assertThat(check(2, round(combine(0, 0, 1), combine(1, 1, 0))).identical()).isTrue();
  }

  @Test
  void foldingInF32DiffersFromRoundingInBetween() {
    Round[] oneCombineOrTwo = {
      round(combine(3, 0, 1)),
      round(combine(0, 0, 1, 2), combine(1, 0, 1, 2), combine(2, 3, 2), combine(3, 3, 2))
    };
    Schedule schedule = new Schedule(4, 8, List.of(oneCombineOrTwo));
    assertThat(ScheduleChecker.check(schedule, Precision.BF16).identical()).isTrue();
    assertThat(ScheduleChecker.check(schedule, Precision.F32).identical()).isTrue();
    assertThat(ScheduleChecker.check(schedule, Precision.BF16_F32ACC).identical()).isFalse();
  }

  @Test
  void theSelfCopyOfTheOwnerMakesRanksAgreeOverANarrowWire() {
    Round reduce = round(combine(0, 0, 1));
    Round without = round(combine(1, 0));
    Round with = round(combine(0, 0), combine(1, 0));
    assertThat(check(2, Precision.F32, reduce, without).identical()).isTrue();
    assertThat(check(2, Precision.F32_BF16WIRE, reduce, without).identical()).isFalse();
    ScheduleReport report = check(2, Precision.F32_BF16WIRE, reduce, with);
    assertThat(report.identical()).isTrue();
    assertThat(report.wireRoundings()).isEqualTo(2);
  }

  @Test
  void narrowingTwiceIsNarrowingOnce() {
    Round copyAround = round(combine(0, 0), combine(1, 0));
    ScheduleReport report =
        check(2, Precision.F32_BF16WIRE, round(combine(0, 0, 1)), copyAround, copyAround);
    assertThat(report.wireRoundings()).isEqualTo(2);
  }

  @Test
  void oneRankCopiesRawBytes() {
    ScheduleReport report = check(1, Precision.F32_BF16WIRE, round(combine(0, 0)));
    assertThat(report.correct()).isTrue();
    assertThat(report.wireRoundings()).isZero();
    assertThat(report.maxWireBytesReceived()).isZero();
  }

  @Test
  void nothingToDoIsDoneRight() {
    ScheduleReport report = ScheduleChecker.check(new Schedule(5, 0, List.of()), Precision.BF16);
    assertThat(report.correct()).isTrue();
    assertThat(report.identical()).isTrue();
    assertThat(report.addDepth()).isZero();
  }

  @Test
  void aRoundThatOverwritesWhatAPeerReadsNeedsASnapshot() {
    Round swapped = round(combine(0, 0, 1), combine(1, 0, 1));
    Round halves =
        round(new Combine(0, new Span(0, 4), 0, 1), new Combine(1, new Span(4, 4), 0, 1));
    Round gather =
        round(
            new Combine(0, new Span(0, 4), 0),
            new Combine(0, new Span(4, 4), 1),
            new Combine(1, new Span(4, 4), 1),
            new Combine(1, new Span(0, 4), 0));
    assertThat(check(2, swapped).snapshotRounds()).containsExactly(0);
    assertThat(check(2, halves, gather).snapshotRounds()).isEmpty();
    assertThat(check(2, Precision.F32_BF16WIRE, halves, gather).snapshotRounds())
        .as("the self-copy narrows, so it is a write")
        .containsExactly(1);
  }

  @Test
  void wireBytesAreCountedAtTheReceiverInTheWireType() {
    ScheduleReport report =
        check(3, Precision.F32_BF16WIRE, round(combine(0, 0, 1, 2), combine(1, 1, 0)));
    assertThat(report.wireElementsReceived()).containsExactly(16L, 8L, 0L);
    assertThat(report.wireBytesReceived(1)).isEqualTo(16);
    assertThat(report.maxWireBytesReceived()).isEqualTo(32);
  }

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  /** Whichever operand from a peer is left out, in whichever round, the proof must fail. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void everyOperandOfEveryAlgorithmIsNeeded(Algorithm algorithm) {
    for (int ranks : new int[] {2, 3, 4, 5, 8}) {
      Schedule schedule = algorithm.plan(ranks, 20, 1);
      for (int round = 0; round < schedule.rounds().size(); round++) {
        int combines = schedule.rounds().get(round).combines().size();
        for (int combine = 0; combine < combines; combine++) {
          mutants(schedule, round, combine)
              .forEach(
                  mutant ->
                      assertThat(ScheduleChecker.check(mutant, Precision.BF16).correct())
                          .isFalse());
        }
      }
    }
  }

  private static List<Schedule> mutants(Schedule schedule, int roundIndex, int combineIndex) {
    Combine combine = schedule.rounds().get(roundIndex).combines().get(combineIndex);
    if (combine.remoteOperandCount() == 0) {
      return List.of();
    }
    if (combine.isCopy()) {
      return List.of(replaced(schedule, roundIndex, combineIndex, combine.rank()));
    }
    List<Schedule> mutants = new ArrayList<>();
    for (int k = 0; k < combine.operandCount(); k++) {
      int leftOut = k;
      int[] rest =
          IntStream.range(0, combine.operandCount())
              .filter(i -> i != leftOut)
              .map(combine::operand)
              .toArray();
      mutants.add(replaced(schedule, roundIndex, combineIndex, rest));
    }
    return mutants;
  }

  private static Schedule replaced(Schedule schedule, int round, int combine, int... operands) {
    List<Round> rounds = new ArrayList<>(schedule.rounds());
    List<Combine> combines = new ArrayList<>(rounds.get(round).combines());
    Combine old = combines.get(combine);
    combines.set(combine, new Combine(old.rank(), old.span(), operands));
    rounds.set(round, new Round(combines));
    return new Schedule(schedule.ranks(), schedule.count(), rounds);
  }
}
