package org.allreducelab.backends.lowering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
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

/** Programs that execute a schedule several times in a row. */
class RepetitionsTest {
  /** The proof, for three in a row, alternating with one. */
  @ParameterizedTest
  @MethodSource("org.allreducelab.backends.lowering.LoweringTest#algorithms")
  void repetitionsAreFreeOfRacesAndGiveTheSimulatorsBytes(Algorithm algorithm) {
    for (int n = 1; n <= 9; n++) {
      for (Transport transport : Transport.values()) {
        for (Operands where : Operands.values()) {
          for (Barrier barrier : Barrier.values()) {
            Schedule schedule = algorithm.plan(n, 8 * n + 3, 8);
            String what = LoweringTest.name(algorithm, n, transport, where, barrier);
            new Rig(n, Precision.BF16, transport, barrier, Set.of(n / 2))
                .add(schedule, where, 3)
                .add(schedule, where)
                .add(schedule, where, 3)
                .proveAndRun(
                    List.of(Rig.ascending(), Rig.random(n), Rig.delaying(0), Rig.preferring(0)),
                    what);
          }
        }
      }
    }
  }

  /** Else the program of a graph is twice as large: slots come in turn, so folds repeat. */
  @ParameterizedTest
  @EnumSource(Transport.class)
  void foldsThatRepeatAreKeptOnce(Transport transport) {
    int[] lists = new int[2];
    int[] kernels = new int[2];
    for (int i = 0; i < 2; i++) {
      Program program =
          Lowering.lower(
              Algorithms.named("ring").plan(4, 256, 8),
              LoweringSpec.of(Precision.BF16, transport, Operands.OUT_OF_PLACE)
                  .repeated(10 + 10 * i));
      Set<List<Fold>> same = Collections.newSetFromMap(new IdentityHashMap<>());
      for (Submission s : program.submissions()) {
        kernels[i] += s.kernels().size();
        s.kernels().forEach(kernel -> same.add(kernel.folds()));
      }
      lists[i] = same.size();
    }
    assertThat(kernels[1]).isGreaterThan(kernels[0]);
    assertThat(lists[1]).as("lists of folds, 20 in a row and 10").isEqualTo(lists[0]);
  }

  /** Staged between two ranks: one hop an all-reduce instead of two, and two slots in turn. */
  @Test
  void aRepetitionIsPublishedAlongWithTheFoldOfTheOneBefore() {
    int times = 5;
    Program program =
        Lowering.lower(
            Algorithms.named("one-shot").plan(2, 256, 8),
            LoweringSpec.of(Precision.BF16, Transport.STAGED_HOST, Operands.OUT_OF_PLACE)
                .repeated(times));
    List<Submission> ofRank = program.submissions().stream().filter(s -> s.rank() == 1).toList();
    assertThat(ofRank).hasSize(1 + times);
    assertThat(ofRank.get(0).waits()).isEmpty();
    for (int i = 1; i <= times; i++) {
      assertThat(ofRank.get(i).waits()).containsExactly(new Wait(0, i));
      assertThat(ofRank.get(i).kernels())
          .extracting(Kernel::kind)
          .isEqualTo(
              i < times
                  ? List.of(Kernel.Kind.FOLD, Kernel.Kind.PUBLISH)
                  : List.of(Kernel.Kind.FOLD));
      assertThat(ofRank.get(i).kernels())
          .extracting(Kernel::repetition)
          .isEqualTo(i < times ? List.of(i - 1, i) : List.of(i - 1));
    }
    assertThat(program.slotBytes(1)).isEqualTo(2 * 512);
    assertThat(program.repetitions()).isEqualTo(times);
  }

  /** In place of slots, peers wait until the owner has ended the repetition before. */
  @Test
  void inputsAreReadInPlaceOnlyWhenTheirOwnerHasEndedTheRepetitionBefore() {
    Program program =
        Lowering.lower(
            Algorithms.named("one-shot").plan(3, 64, 8),
            LoweringSpec.of(Precision.BF16, Transport.DIRECT, Operands.OUT_OF_PLACE).repeated(4));
    assertThat(program.submissions()).hasSize(3 * 4);
    for (Submission s : program.submissions()) {
      assertThat(s.repetition()).isEqualTo(s.value() - 1);
      assertThat(s.waits())
          .as("%s", s)
          .extracting(Wait::value)
          .containsOnly(s.value() - 1)
          .hasSize(2);
    }
    assertThat(program.submissions().get(11).operation()).isEqualTo("round 0 fold of repetition 3");
  }

  @Test
  void repetitionsAreAtLeastOne() {
    assertThatThrownBy(
            () ->
                Lowering.lower(
                    Algorithms.named("ring").plan(2, 8, 8),
                    LoweringSpec.of(Precision.BF16, Transport.DIRECT, Operands.IN_PLACE)
                        .repeated(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("at least 1 repetition, not 0");
  }
}
