package org.allreducelab.backends.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mutation test of the waits: with any one wait removed, the happens-before check must report a race
 * (so no wait is superfluous, and the check sees what it should), and with the rank that was waited
 * for delayed the bytes must come out wrong, unless the race only rewrites equal bytes.
 */
class WaitRemovalTest {
  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everyWaitIsNeeded(Algorithm algorithm) {
    for (int n : new int[] {2, 3, 4, 6, 8}) {
      for (Transport transport : Transport.values()) {
        for (Operands where : Operands.values()) {
          Schedule schedule = algorithm.plan(n, 8 * n, 8);
          Rig rig =
              new Rig(n, Precision.BF16, transport, Barrier.PAIRWISE, Set.of())
                  .add(schedule, where)
                  .add(schedule, where);
          String what =
              algorithm.name() + " n=" + n + " " + transport.label() + " " + where;
          int tried = removeEachWait(rig, n, what);
          assertThat(tried).as(what).isEqualTo(2 * rig.programs().get(0).waits());
        }
      }
    }
  }

  private static int removeEachWait(Rig rig, int ranks, String what) {
    List<ProgramInterpreter.Issued> issued = rig.interpreter().issued();
    int tried = 0;
    for (ProgramInterpreter.Issued victim : issued) {
      for (long[] wait : victim.waits()) {
        tried++;
        String mutant =
            "%s: rank %d submission %d without its wait for rank %d value %d"
                .formatted(what, victim.submission().rank(), victim.value(), wait[0], wait[1]);
        ProgramInterpreter mutated = rig.interpreter(one -> without(one, victim, wait));
        Optional<HappensBefore.Conflict> conflict =
            HappensBefore.firstConflict(ranks, mutated.issued());
        assertThat(conflict).as(mutant).isPresent();
        GroupMemory memory = rig.load(mutated);
        mutated.run(Rig.delaying((int) wait[0]));
        if (rig.isRight(memory)) {
          assertThat(rewritesEqualBytes(rig, conflict.orElseThrow()))
              .as(mutant + " survived; " + conflict)
              .isTrue();
        }
      }
    }
    return tried;
  }

  private static ProgramInterpreter.Issued without(
      ProgramInterpreter.Issued one, ProgramInterpreter.Issued victim, long[] wait) {
    if (one.submission().rank() != victim.submission().rank() || one.value() != victim.value()) {
      return one;
    }
    List<long[]> kept = new ArrayList<>(one.waits());
    kept.removeIf(w -> Arrays.equals(w, wait));
    return new ProgramInterpreter.Issued(
        one.submission(), one.value(), kept, one.lateWaits(), one.folds());
  }

  /** Whether the writer of the conflict leaves the bytes as they were, in the order enqueued. */
  private static boolean rewritesEqualBytes(Rig rig, HappensBefore.Conflict conflict) {
    List<byte[]> before = new ArrayList<>();
    List<byte[]> after = new ArrayList<>();
    ProgramInterpreter inOrder = rig.interpreter();
    GroupMemory memory = rig.load(inOrder);
    int rank = (int) conflict.writer()[0];
    inOrder.runInEnqueueOrder(
        one -> {
          if (one.submission().rank() == rank && one.value() == conflict.writer()[1]) {
            (before.isEmpty() ? before : after).add(range(memory, conflict));
          }
        });
    return Arrays.equals(before.get(0), after.get(0));
  }

  private static byte[] range(GroupMemory memory, HappensBefore.Conflict c) {
    return Arrays.copyOfRange(memory.of(c.owner(), c.space()), (int) c.from(), (int) c.to());
  }
}
