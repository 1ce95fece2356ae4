package org.allreducelab.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.ScheduleChecker;
import org.allreducelab.algorithms.schedule.ScheduleReport;
import org.allreducelab.algorithms.schedule.Span;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every algorithm, every number of ranks and every count. */
class AlgorithmContractTest {
  private static final List<Precision> AGREEING =
      List.of(Precision.BF16, Precision.BF16_F32ACC, Precision.F32_BF16WIRE);
  private static final int[] GRANULES = {1, 8};
  private static final int[] BEYOND_64 = {96, 100, 127, 128};

  static Stream<ClosedForms> forms() {
    return ClosedForms.all().stream();
  }

  static Stream<Algorithm> defaults() {
    return Stream.concat(Algorithms.all().stream(), Stream.of(new OneShot(3)));
  }

  @Test
  void theFormsCoverEveryAlgorithm() {
    assertThat(forms().map(f -> f.algorithm().name())).containsAll(Algorithms.names());
  }

  @ParameterizedTest
  @MethodSource("forms")
  void sumsEveryRankOnceAndAgreesForEveryRanksAndCount(ClosedForms forms) {
    IntStream.concat(IntStream.rangeClosed(1, 64), IntStream.of(BEYOND_64))
        .forEach(ranks -> counts(ranks).forEach(count -> checkAll(forms, ranks, count)));
  }

  private static IntStream counts(int n) {
    IntStream counts =
        n <= 16
            ? IntStream.of(0, 1, n - 1, n, 7, 8, 9, 1000, 65543)
            : IntStream.of(0, n - 1, 9, 65543);
    return counts.distinct();
  }

  private static void checkAll(ClosedForms forms, int ranks, int count) {
    for (int granule : GRANULES) {
      Schedule schedule = forms.algorithm().plan(ranks, count, granule);
      for (Precision precision : AGREEING) {
        ScheduleReport report = ScheduleChecker.check(schedule, precision);
        if (!report.correct() || !report.identical()) {
          throw new AssertionError(
              "%s, %d ranks, count %d, granule %d, %s: %s %s"
                  .formatted(
                      forms,
                      ranks,
                      count,
                      granule,
                      precision.name(),
                      report.fault(),
                      report.disagreement()));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void roundsDepthAndVolumeAreAsDocumented(ClosedForms forms) {
    for (int ranks = 2; ranks <= 64; ranks++) {
      int count = evenCount(ranks);
      Schedule schedule = forms.algorithm().plan(ranks, count);
      ScheduleReport report = ScheduleChecker.check(schedule, Precision.BF16);
      String what = forms + " at " + ranks + " ranks";
      assertThat(schedule.rounds()).as(what).hasSize(forms.rounds().applyAsInt(ranks));
      assertThat(report.addDepth()).as(what).isEqualTo(forms.addDepth().applyAsInt(ranks));
      assertThat(report.maxWireBytesReceived())
          .as(what)
          .isEqualTo(2 * forms.mostReceived().elements(ranks, count));
    }
  }

  /** A count that n chunks of two halves and any power of two up to n divide in whole granules. */
  private static int evenCount(int ranks) {
    return 2 * 8 * ranks * Integer.highestOneBit(ranks);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void theNumberOfRoundsDoesNotDependOnTheCount(ClosedForms forms) {
    for (int ranks = 2; ranks <= 9; ranks++) {
      assertThat(forms.algorithm().plan(ranks, 0).rounds())
          .hasSameSizeAs(forms.algorithm().plan(ranks, 1000).rounds());
    }
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void oneRankCopiesItselfInOneCombine(Algorithm algorithm) {
    for (int count : new int[] {0, 1, 1000}) {
      assertThat(algorithm.plan(1, count).rounds())
          .containsExactly(new Round(List.of(new Combine(0, new Span(0, count), 0))));
    }
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void equalArgumentsGiveEqualSchedules(Algorithm algorithm) {
    assertThat(algorithm.plan(100, 1000)).isEqualTo(algorithm.plan(100, 1000));
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void chunkBordersAreWholeGranules(Algorithm algorithm) {
    for (int ranks = 2; ranks <= 9; ranks++) {
      for (Round round : algorithm.plan(ranks, 1003, 8).rounds()) {
        for (Combine combine : round.combines()) {
          assertThat(combine.span().offset() % 8).isZero();
          assertThat(combine.span().end() % 8 == 0 || combine.span().end() == 1003).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void theLongestVectorIsPlannedWithoutOverflow(Algorithm algorithm) {
    Schedule schedule = algorithm.plan(7, Integer.MAX_VALUE);
    assertThat(ScheduleChecker.check(schedule, Precision.BF16).fault()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void aThousandRanksAreProved(Algorithm algorithm) {
    Schedule schedule = algorithm.plan(1024, 1 << 20);
    ScheduleReport report = ScheduleChecker.check(schedule, Precision.BF16);
    assertThat(report.fault()).isEmpty();
    assertThat(report.disagreement()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void ranksDifferWhereOwnValuesStayExactAndTheWireIsNarrower(Algorithm algorithm) {
    Precision exact = Precision.VULKAN_F16WIRE;
    int narrow = exact.wideBelowCount();
    for (int ranks = 2; ranks <= 8; ranks++) {
      ScheduleReport narrowed = ScheduleChecker.check(algorithm.plan(ranks, narrow), exact);
      assertThat(narrowed.correct()).isTrue();
      assertThat(narrowed.identical()).isFalse();
      assertThat(narrowed.wireRoundings()).isPositive();
      ScheduleReport wide = ScheduleChecker.check(algorithm.plan(ranks, narrow - 1), exact);
      assertThat(wide.disagreement()).isEmpty();
      assertThat(wide.wireRoundings()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void badArgumentsSayWhatWouldBeRight(Algorithm algorithm) {
    assertThatThrownBy(() -> algorithm.plan(0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ranks must be at least 1, not 0");
    assertThatThrownBy(() -> algorithm.plan(2, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("count must be at least 0, not -1");
    assertThatThrownBy(() -> algorithm.plan(2, 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("granule must be at least 1, not 0");
  }
}
