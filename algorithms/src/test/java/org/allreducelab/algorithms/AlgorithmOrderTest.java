package org.allreducelab.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.ScheduleChecker;
import org.allreducelab.algorithms.schedule.ScheduleReport;
import org.allreducelab.algorithms.schedule.Span;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order in which each algorithm adds: part of its contract, since it decides the bytes. */
class AlgorithmOrderTest {

  @ParameterizedTest
  @CsvSource({
    "naive, 4, ((0+1)+2)+3",
    "one-shot, 4, ((0+1)+2)+3",
    "two-shot, 4, ((0+1)+2)+3",
    "binomial-tree, 4, (0+1)+(2+3)",
    "binomial-tree, 5, ((0+1)+(2+3))+4",
    "binomial-tree, 7, ((0+1)+(2+3))+((4+5)+6)",
    "recursive-doubling, 4, (0+2)+(1+3)",
    "recursive-doubling:distance=asc, 4, (0+1)+(2+3)",
    "recursive-doubling, 5, ((0+4)+2)+(1+3)",
    "recursive-doubling:fold=adjacent, 5, ((0+1)+3)+(2+4)",
    "'recursive-doubling:distance=asc,fold=adjacent', 5, ((0+1)+2)+(3+4)",
    "'recursive-doubling:distance=asc,fold=adjacent', 7, ((0+1)+(2+3))+((4+5)+6)",
    "swing-latency, 4, (0+3)+(1+2)",
    "double-binary-tree, 4, 3+((1+0)+2)",
    "double-binary-tree, 5, (3+((1+0)+2))+4",
  })
  void firstElement(String algorithm, int ranks, String sum) {
    assertThat(FoldText.of(Algorithms.named(algorithm).plan(ranks, 1), 0, 0)).isEqualTo(sum);
  }

  @Test
  void ringTurnsWithTheChunk() {
    Schedule schedule = new Ring().plan(4, 4, 1);
    assertThat(chunks(schedule, 4))
        .containsExactly("((0+1)+2)+3", "((1+2)+3)+0", "((2+3)+0)+1", "((3+0)+1)+2");
  }

  @Test
  void bidirectionalRingTurnsTheOtherWayInTheSecondHalf() {
    Schedule schedule = new BidirectionalRing().plan(3, 6, 1);
    assertThat(chunks(schedule, 6))
        .containsExactly("(0+1)+2", "(1+2)+0", "(2+0)+1", "(0+2)+1", "(1+0)+2", "(2+1)+0");
  }

  @Test
  void doubleBinaryTreeMirrorsForEvenRanksAndShiftsForOdd() {
    assertThat(chunks(new DoubleBinaryTree().plan(4, 2, 1), 2))
        .containsExactly("3+((1+0)+2)", "0+((2+3)+1)");
    assertThat(chunks(new DoubleBinaryTree().plan(5, 2, 1), 2))
        .containsExactly("(3+((1+0)+2))+4", "(4+((2+1)+3))+0");
  }

  @Test
  void circulantAddsWhatComesFromFurtherBelowFirst() {
    assertThat(chunks(new Circulant().plan(3, 3, 1), 3))
        .containsExactly("2+(1+0)", "0+(2+1)", "1+(0+2)");
  }

  @Test
  void inBothTreesOfDoubleBinaryTreeNoRankIsInner() {
    for (int ranks = 2; ranks <= 33; ranks++) {
      Schedule schedule = new DoubleBinaryTree().plan(ranks, 2, 1);
      int[] innerIn = new int[ranks];
      schedule
          .rounds()
          .forEach(
              round ->
                  round.combines().stream()
                      .filter(combine -> !combine.isCopy())
                      .forEach(combine -> innerIn[combine.rank()]++));
      assertThat(innerIn).as(ranks + " ranks").containsOnly(ranks % 2 == 0 ? one() : oneOrNone());
    }
  }

  private static int[] one() {
    return new int[] {1};
  }

  private static int[] oneOrNone() {
    return new int[] {0, 1};
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 13, 16, 32})
  void halvingDoublingAddsLikeRecursiveDoubling(int ranks) {
    for (String parameters :
        List.of("", ":distance=asc", ":fold=adjacent", ":distance=asc,fold=adjacent")) {
      Schedule halving = Algorithms.named("halving-doubling" + parameters).plan(ranks, 40, 1);
      Schedule doubling = Algorithms.named("recursive-doubling" + parameters).plan(ranks, 40, 1);
      assertThat(chunks(halving, 40)).isEqualTo(chunks(doubling, 40));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "halving-doubling",
        "recursive-doubling",
        "one-shot",
        "two-shot",
        "naive",
        "binomial-tree"
      })
  void theOrderDoesNotDependOnTheCount(String algorithm) {
    for (int ranks = 2; ranks <= 9; ranks++) {
      Schedule lengthy = Algorithms.named(algorithm).plan(ranks, 1000, 1);
      String first = FoldText.commutative(lengthy, 0, 0);
      for (int element = 0; element < 1000; element += 7) {
        assertThat(FoldText.commutative(lengthy, 0, element)).isEqualTo(first);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ring, 3",
    "bidirectional-ring, 3",
    "double-binary-tree, 3",
    "circulant, 3",
    "swing, 8"
  })
  void theOrderOfTheseDependsOnTheChunk(String algorithm, int ranks) {
    Schedule schedule = Algorithms.named(algorithm).plan(ranks, 1000, 1);
    assertThat(FoldText.commutative(schedule, 0, 999))
        .isNotEqualTo(FoldText.commutative(schedule, 0, 0));
  }

  @Test
  void swingWithTheShortestDistanceFirstMakesRanksDiffer() {
    PowerOfTwoCore core = new PowerOfTwoCore(8, FoldRule.HIGH);
    LazyRounds ascending =
        WholeVectorExchange.rounds(core, Pairing.swing(core.size()), new Span(0, 1));
    ScheduleReport report = ScheduleChecker.check(new Schedule(8, 1, ascending), Precision.BF16);
    assertThat(report.fault()).isEmpty();
    assertThat(report.identical()).isFalse();
  }

  @Test
  void swingMeetsAtTheDistancesOfThePaper() {
    Pairing swing = Pairing.swing(64);
    assertThat(List.of(0, 1, 2, 3, 4, 5))
        .extracting(step -> swing.peer(32, step) - 32)
        .containsExactly(1, -1, 3, -5, 11, -21);
    for (int member = 0; member < 64; member++) {
      for (int step = 0; step < 6; step++) {
        assertThat(swing.peer(swing.peer(member, step), step)).isEqualTo(member);
      }
    }
  }

  @Test
  void everyExchangedSetOfSwingIsOneSpan() {
    Schedule schedule = new Swing().plan(16, 16, 1);
    for (int round = 0; round < 4; round++) {
      int blocks = 8 >> round;
      assertThat(schedule.rounds().get(round).combines())
          .hasSize(16)
          .allMatch(combine -> combine.span().length() == blocks);
    }
  }

  @Test
  void chunkMapRoundsUpAndRunsOut() {
    ChunkMap map = new ChunkMap(new Span(16, 20), 4, 8);
    assertThat(List.of(map.chunk(0), map.chunk(1), map.chunk(2), map.chunk(3)))
        .containsExactly(new Span(16, 8), new Span(24, 8), new Span(32, 4), new Span(36, 0));
    assertThat(map.range(1, 4)).isEqualTo(new Span(24, 12));
  }

  private static List<String> chunks(Schedule schedule, int count) {
    return IntStream.range(0, count)
        .mapToObj(element -> FoldText.of(schedule, 0, element))
        .toList();
  }
}
