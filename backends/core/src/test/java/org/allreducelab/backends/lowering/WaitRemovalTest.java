package org.allreducelab.backends.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mutation test of the waits: with any one wait removed, the happens-before check must report a
 * race (so no wait is superfluous, and the check sees what it should), and with the rank that was
 * waited for delayed the bytes must come out wrong, unless the race only rewrites equal bytes.
 */
class WaitRemovalTest {
  @ParameterizedTest
  @MethodSource("org.allreducelab.backends.lowering.LoweringTest#algorithms")
  void everyWaitIsNeeded(Algorithm algorithm) {
    for (int n : new int[] {2, 3, 4, 6, 8}) {
      for (Transport transport : Transport.values()) {
        for (Operands where : Operands.values()) {
          Schedule schedule = algorithm.plan(n, 8 * n, 8);
          Rig once = rig(n, transport).add(schedule, where);
          Rig twice = rig(n, transport).add(schedule, where).add(schedule, where);
          String what = algorithm.name() + " n=" + n + " " + transport.label() + " " + where;
          removeEachWait(once, twice, n, what);
        }
      }
    }
  }

  /** In place a wrong result goes on to the end, out of place the next repetition covers it. */
  @ParameterizedTest
  @MethodSource("org.allreducelab.backends.lowering.LoweringTest#algorithms")
  void everyWaitOfRepetitionsIsNeeded(Algorithm algorithm) {
    for (int n : new int[] {2, 3, 4, 6}) {
      for (Transport transport : Transport.values()) {
        Schedule schedule = algorithm.plan(n, 8 * n, 8);
        String what = algorithm.name() + " n=" + n + " " + transport.label() + ", 3 times";
        Rig inPlace = rig(n, transport).add(schedule, Operands.IN_PLACE, 3);
        Rig again = rig(n, transport).add(schedule, Operands.IN_PLACE, 3);
        again.add(schedule, Operands.IN_PLACE, 3);
        removeEachWait(inPlace, again, n, what);
        Rig outOfPlace = rig(n, transport).add(schedule, Operands.OUT_OF_PLACE, 3);
        outOfPlace.add(schedule, Operands.OUT_OF_PLACE, 3);
        for (Submission victim : outOfPlace.programs().get(0).submissions()) {
          for (Wait wait : victim.waits()) {
            assertThat(conflict(outOfPlace, n, victim, wait)).as(what + victim + wait).isPresent();
          }
        }
      }
    }
  }

  private static Rig rig(int ranks, Transport transport) {
    return new Rig(ranks, Precision.BF16, transport, Barrier.PAIRWISE, Set.of());
  }

  private static void removeEachWait(Rig once, Rig twice, int ranks, String what) {
    for (Submission victim : once.programs().get(0).submissions()) {
      for (Wait wait : victim.waits()) {
        String mutant =
            "%s: rank %d submission %d without its %s"
                .formatted(what, victim.rank(), victim.value(), wait);
        Optional<Races.Conflict> conflict = conflict(twice, ranks, victim, wait);
        assertThat(conflict).as(mutant).isPresent();
        if (survives(once, victim, wait) && survives(twice, victim, wait)) {
          assertThat(rewritesEqualBytes(twice, conflict.orElseThrow()))
              .as(mutant + " survived; " + conflict)
              .isTrue();
        }
      }
    }
  }

  private static Optional<Races.Conflict> conflict(
      Rig rig, int ranks, Submission victim, Wait wait) {
    ProgramInterpreter mutated = rig.interpreter(one -> without(one, victim, wait));
    return HappensBefore.firstConflict(ranks, mutated.issued());
  }

  /** Whether the bytes are right although the rank that should be waited for is late. */
  private static boolean survives(Rig rig, Submission victim, Wait wait) {
    ProgramInterpreter mutated = rig.interpreter(one -> without(one, victim, wait));
    GroupMemory memory = rig.load(mutated);
    mutated.run(Rig.delaying(wait.rank()));
    return rig.isRight(memory);
  }

  /** The mutant lacks the wait in every invocation. */
  private static ProgramInterpreter.Issued without(
      ProgramInterpreter.Issued one, Submission victim, Wait wait) {
    if (!one.submission().equals(victim)) {
      return one;
    }
    List<long[]> kept = new ArrayList<>(one.waits());
    kept.remove(victim.waits().indexOf(wait));
    return one.withWaits(kept);
  }

  /** Whether the writer of the conflict leaves the bytes as they were, in the order enqueued. */
  private static boolean rewritesEqualBytes(Rig rig, Races.Conflict conflict) {
    List<byte[]> before = new ArrayList<>();
    List<byte[]> after = new ArrayList<>();
    ProgramInterpreter inOrder = rig.interpreter();
    GroupMemory memory = rig.load(inOrder);
    Races.Point writer = conflict.writer();
    inOrder.runInEnqueueOrder(
        one -> {
          if (one.submission().rank() == writer.actor() && one.value() == writer.value()) {
            (before.isEmpty() ? before : after).add(range(memory, conflict));
          }
        });
    return Arrays.equals(before.get(0), after.get(0));
  }

  private static byte[] range(GroupMemory memory, Races.Conflict c) {
    return Arrays.copyOfRange(memory.of(c.owner(), c.space()), (int) c.from(), (int) c.to());
  }
}
