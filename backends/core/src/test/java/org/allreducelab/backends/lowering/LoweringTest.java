package org.allreducelab.backends.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LoweringTest {
  private static final int MOST_RANKS = 16;

  /** All, and one with a parameter that makes rounds overlap. */
  static List<Algorithm> algorithms() {
    List<Algorithm> all = new ArrayList<>(Algorithms.all());
    all.add(Algorithms.named("one-shot:pieces=3"));
    return all;
  }

  static String name(
      Algorithm algorithm, int n, Transport transport, Operands where, Barrier barrier) {
    return String.join(
        " ", algorithm.name(), "n=" + n, transport.label(), where.toString(), barrier.label());
  }

  /** The proof: no unordered conflicting accesses, twice in a row, and the simulator's bytes. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void everyProgramIsFreeOfRacesAndGivesTheSimulatorsBytes(Algorithm algorithm) {
    for (int n = 1; n <= MOST_RANKS; n++) {
      for (Transport transport : Transport.values()) {
        for (Operands where : Operands.values()) {
          for (Barrier barrier : Barrier.values()) {
            int count = 8 * n + 3;
            Schedule schedule = algorithm.plan(n, count, 8);
            String what = name(algorithm, n, transport, where, barrier);
            new Rig(n, Precision.BF16, transport, barrier, Set.of())
                .add(schedule, where)
                .add(schedule, where)
                .proveAndRun(List.of(Rig.ascending(), Rig.random(n)), what);
          }
        }
      }
    }
  }

  /** Whoever is late or early, the bytes are the same. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void delayedRanksChangeNothing(Algorithm algorithm) {
    for (int n : new int[] {2, 3, 5, 6, 7, 8}) {
      for (Transport transport : Transport.values()) {
        List<ProgramInterpreter.Order> orders = new ArrayList<>();
        for (int rank = 0; rank < n; rank++) {
          orders.add(Rig.delaying(rank));
          orders.add(Rig.preferring(rank));
        }
        Schedule schedule = algorithm.plan(n, 8 * n + 5, 8);
        new Rig(n, Precision.BF16, transport, Barrier.PAIRWISE, Set.of())
            .add(schedule, Operands.OUT_OF_PLACE)
            .add(schedule, Operands.IN_PLACE)
            .proveAndRun(orders, algorithm.name() + " n=" + n + " " + transport.label());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everyPresetAndOddCountsLowerToTheSimulatorsBytes(Algorithm algorithm) {
    for (Precision precision : Precision.presets()) {
      for (int n : new int[] {1, 2, 3, 4, 7, 8}) {
        for (int count : new int[] {0, 1, n - 1, n, 9, 131}) {
          for (Transport transport : Transport.values()) {
            if (!precision.supportsRanks(n)) {
              continue;
            }
            Precision narrow = withoutThreshold(precision);
            new Rig(n, narrow, transport, Barrier.PAIRWISE, Set.of())
                .add(algorithm.plan(n, count, 1), Operands.OUT_OF_PLACE)
                .add(algorithm.plan(n, count, 8), Operands.IN_PLACE)
                .proveAndRun(
                    List.of(Rig.random(count)),
                    algorithm.name() + " " + precision.name() + " n=" + n + " count=" + count);
          }
        }
      }
    }
  }

  /** The same preset, narrowing at any count: what matters to lowering. */
  private static Precision withoutThreshold(Precision p) {
    return new Precision(
        p.name(),
        p.element(),
        p.wire(),
        p.narrowing(),
        p.accumulate(),
        p.ownOperand(),
        0,
        p.maxRanks());
  }

  /** Programs of different sizes and algorithms share memory and alternate without a host wait. */
  @ParameterizedTest
  @EnumSource(Transport.class)
  void alternatingProgramsOnOneGroup(Transport transport) {
    Random random = new Random(7);
    List<Algorithm> all = Algorithms.all();
    for (int trial = 0; trial < 150; trial++) {
      int n = 2 + random.nextInt(7);
      Barrier barrier = random.nextBoolean() ? Barrier.RELAY : Barrier.PAIRWISE;
      Rig rig = new Rig(n, Precision.BF16, transport, barrier, Set.of());
      StringBuilder what = new StringBuilder("trial " + trial + " n=" + n);
      for (int i = 0; i < 5; i++) {
        Algorithm algorithm = all.get(random.nextInt(all.size()));
        int count = random.nextInt(100);
        Operands where = random.nextBoolean() ? Operands.IN_PLACE : Operands.OUT_OF_PLACE;
        int repetitions = 1 + random.nextInt(3);
        rig.add(algorithm.plan(n, count, 1 + random.nextInt(8)), where, repetitions);
        what.append(' ').append(algorithm.name()).append('/').append(count).append('/');
        what.append(where).append('/').append(repetitions);
      }
      rig.proveAndRun(List.of(Rig.random(trial), Rig.delaying(random.nextInt(n))), what.toString());
    }
  }

  /** Every pair of algorithms, one after the other. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void everyPairOfAlgorithmsAlternates(Algorithm first) {
    for (Algorithm second : Algorithms.all()) {
      for (int n : new int[] {3, 4, 8}) {
        for (Transport transport : Transport.values()) {
          new Rig(n, Precision.BF16, transport, Barrier.PAIRWISE, Set.of())
              .add(first.plan(n, 40, 8), Operands.OUT_OF_PLACE)
              .add(second.plan(n, 64, 8), Operands.IN_PLACE)
              .add(first.plan(n, 40, 8), Operands.OUT_OF_PLACE)
              .proveAndRun(List.of(), first.name() + " then " + second.name() + " n=" + n);
        }
      }
    }
  }

  /** Inactive ranks hold NaN, which must not show. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void inactiveRanksContributeNegativeZero(Algorithm algorithm) {
    for (int n : new int[] {2, 3, 4, 8}) {
      for (Set<Integer> inactive : List.of(Set.of(0), Set.of(n - 1), Set.of(0, n / 2))) {
        for (Transport transport : Transport.values()) {
          for (Operands where : Operands.values()) {
            new Rig(n, Precision.BF16, transport, Barrier.PAIRWISE, inactive)
                .add(algorithm.plan(n, 8 * n + 1, 8), where)
                .proveAndRun(
                    List.of(Rig.random(n)), algorithm.name() + " n=" + n + " without " + inactive);
          }
        }
      }
    }
  }

  /** Every wait refers to something before it in enqueue order: shared in-order queues work. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void waitsReferToSubmissionsBeforeThem(Algorithm algorithm) {
    for (int n = 1; n <= MOST_RANKS; n++) {
      for (Barrier barrier : Barrier.values()) {
        Program program =
            Lowering.lower(
                algorithm.plan(n, 100, 8),
                LoweringSpec.of(Precision.BF16, Transport.DIRECT, Operands.IN_PLACE)
                    .withBarrier(barrier)
                    .repeated(1 + n % 3));
        int[] seen = new int[n];
        for (Submission s : program.submissions()) {
          for (Wait w : s.waits()) {
            assertThat(w.rank()).isNotEqualTo(s.rank());
            assertThat(w.value()).isBetween(Wait.START, seen[w.rank()]);
          }
          assertThat(s.value()).isEqualTo(++seen[s.rank()]);
        }
      }
    }
  }

  /** Staged, in pieces: each is published along with the fold of the one before it. */
  @Test
  void piecesArePublishedAheadOfTheirRound() {
    Program program = staged("one-shot:pieces=4", 2, 256);
    List<Submission> ofRank = program.submissions().stream().filter(s -> s.rank() == 1).toList();
    assertThat(ofRank).hasSize(5);
    assertThat(ofRank.get(0).waits()).isEmpty();
    for (int i = 1; i <= 4; i++) {
      assertThat(ofRank.get(i).waits()).containsExactly(new Wait(0, i));
      assertThat(ofRank.get(i).kernels()).hasSize(1);
      List<Fold> folds = ofRank.get(i).kernels().get(0).folds();
      assertThat(folds)
          .as("the next piece's publish, then the fold")
          .extracting(fold -> fold.destination().space())
          .isEqualTo(i < 4 ? List.of(Space.SLOT, Space.RECV) : List.of(Space.RECV));
    }
    // The piece being read and the one being published.
    assertThat(program.slotBytes(1)).isEqualTo(2 * 2 * 64);
  }

  @Test
  void relayKeepsTheWaitsOfARoundLinear() {
    int n = 8;
    Schedule schedule = Algorithms.named("one-shot").plan(n, 80, 8);
    Program pairwise = lowerInPlace(schedule, Barrier.PAIRWISE);
    Program relay = lowerInPlace(schedule, Barrier.RELAY);
    assertThat(pairwise.waits()).isEqualTo(n * (n - 1));
    assertThat(relay.waits()).isEqualTo(2 * (n - 1));
  }

  private static Program lowerInPlace(Schedule schedule, Barrier barrier) {
    return Lowering.lower(
        schedule,
        LoweringSpec.of(Precision.BF16, Transport.DIRECT, Operands.IN_PLACE).withBarrier(barrier));
  }

  /** In place, direct: waits, waits for late readers, submissions over all ranks. */
  @ParameterizedTest
  @MethodSource("counts")
  void waitsAndSubmissionsAreNoMoreThanNeeded(Counts c) {
    Schedule schedule = Algorithms.named(c.algorithm).plan(c.ranks, 8 * c.ranks, 8);
    Program program = lowerInPlace(schedule, Barrier.PAIRWISE);
    assertThat(
            new Counts(
                c.algorithm,
                c.ranks,
                program.waits(),
                program.lateReaderWaits(),
                program.submissions().size()))
        .isEqualTo(c);
  }

  record Counts(String algorithm, int ranks, int waits, int late, int submissions) {}

  static List<Counts> counts() {
    return List.of(
        new Counts("ring", 2, 4, 0, 4),
        new Counts("ring", 4, 24, 4, 24),
        new Counts("ring", 8, 112, 8, 112),
        new Counts("halving-doubling", 4, 16, 4, 16),
        new Counts("halving-doubling", 8, 48, 16, 48),
        new Counts("one-shot", 2, 2, 2, 4),
        new Counts("one-shot", 4, 12, 12, 8),
        new Counts("one-shot", 8, 56, 56, 16),
        new Counts("two-shot", 4, 24, 0, 8),
        new Counts("two-shot", 8, 112, 0, 16),
        new Counts("naive", 2, 2, 0, 2),
        new Counts("naive", 8, 14, 0, 8));
  }

  /** Staged ring, n = 2: the two halves of the vector, resident at once. */
  @Test
  void slotsAreReusedOnlyWhereNoWaitIsNeeded() {
    Program two = staged("ring", 2, 1024);
    assertThat(two.slotBytes(0)).isEqualTo(2048);
    // Each of the 2(n-1) chunks is published once; a rank hears of its reader after n rounds.
    Program eight = staged("ring", 8, 1024);
    assertThat(eight.slotBytes(0)).isBetween(2048L, 2048L * 9 / 8);
  }

  private static Program staged(String algorithm, int ranks, int count) {
    return Lowering.lower(
        Algorithms.named(algorithm).plan(ranks, count, 8),
        LoweringSpec.of(Precision.BF16, Transport.STAGED_HOST, Operands.OUT_OF_PLACE));
  }

  @Test
  void oneRankOutOfPlaceIsOneCopyAndInPlaceNothing() {
    Schedule schedule = Algorithms.named("ring").plan(1, 10, 8);
    Program inPlace = lowerInPlace(schedule, Barrier.PAIRWISE);
    assertThat(inPlace.submissions()).isEmpty();
    Program copy =
        Lowering.lower(
            schedule,
            LoweringSpec.of(Precision.F32_BF16WIRE, Transport.STAGED_HOST, Operands.OUT_OF_PLACE));
    assertThat(copy.submissions()).hasSize(1);
    assertThat(copy.submissions().get(0).kernels().get(0).folds())
        .containsExactly(
            new Fold(
                new Region(0, Space.RECV, 0, Precision.F32.element()),
                null,
                10,
                List.of(new Source(new Region(0, Space.SEND, 0, Precision.F32.element()), false))));
  }
}
