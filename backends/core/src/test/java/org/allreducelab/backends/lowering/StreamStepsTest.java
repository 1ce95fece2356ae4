package org.allreducelab.backends.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.StreamStep.Part;
import org.allreducelab.backends.lowering.StreamStep.PeerNeeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StreamStepsTest {
  /** The proof, twice in a row, for ranks on 1 to n streams, in blocks and dealt at random. */
  @ParameterizedTest
  @MethodSource("org.allreducelab.backends.lowering.LoweringTest#algorithms")
  void everythingThatConflictsIsOrdered(Algorithm algorithm) {
    for (int n = 1; n <= 8; n++) {
      for (int streams = 1; streams <= n; streams++) {
        for (Transport transport : Transport.values()) {
          for (Operands where : Operands.values()) {
            for (Barrier barrier : Barrier.values()) {
              Program program = lower(algorithm, n, transport, where, barrier);
              for (int[] streamOf : List.of(blocks(n, streams), dealt(n, streams))) {
                String what =
                    "%s n=%d %s %s %s %s"
                        .formatted(
                            algorithm.name(),
                            n,
                            transport.label(),
                            where,
                            barrier.label(),
                            Arrays.toString(streamOf));
                List<StreamStep> steps = StreamSteps.of(program, streamOf);
                assertThat(conflict(program, steps, streamOf)).as(what).isEmpty();
                everySubmissionOnceAndInOrder(program, steps);
              }
            }
          }
        }
      }
    }
  }

  /** Programs of one group share memory and follow each other without a host wait. */
  @Test
  void alternatingProgramsAreOrderedToo() {
    Random random = new Random(11);
    List<Algorithm> all = LoweringTest.algorithms();
    for (int trial = 0; trial < 300; trial++) {
      int n = 2 + random.nextInt(7);
      int[] streamOf = dealt(n, 1 + random.nextInt(n));
      StreamProof proof = new StreamProof(streamOf);
      Transport transport = oneOf(List.of(Transport.values()), random);
      for (int i = 0; i < 4; i++) {
        Program program =
            lower(
                oneOf(all, random),
                n,
                transport,
                oneOf(List.of(Operands.values()), random),
                oneOf(List.of(Barrier.values()), random),
                1 + random.nextInt(3));
        assertThat(proof.add(program, StreamSteps.of(program, streamOf))).isEmpty();
      }
    }
  }

  /** The same of programs that execute a schedule three times. */
  @ParameterizedTest
  @MethodSource("org.allreducelab.backends.lowering.LoweringTest#algorithms")
  void repetitionsAreOrderedToo(Algorithm algorithm) {
    for (int n = 2; n <= 8; n += 2) {
      for (int streams = 1; streams <= n; streams++) {
        for (Transport transport : Transport.values()) {
          for (Operands where : Operands.values()) {
            Program program = lower(algorithm, n, transport, where, Barrier.PAIRWISE, 3);
            for (int[] streamOf : List.of(blocks(n, streams), dealt(n, streams))) {
              List<StreamStep> steps = StreamSteps.of(program, streamOf);
              assertThat(conflict(program, steps, streamOf))
                  .as("%s n=%d %s %s", algorithm.name(), n, transport, Arrays.toString(streamOf))
                  .isEmpty();
              everySubmissionOnceAndInOrder(program, steps);
            }
          }
        }
      }
    }
  }

  /** With any one barrier left out, or all that is waited for of one stream, there is a race. */
  @ParameterizedTest
  @MethodSource("org.allreducelab.backends.lowering.LoweringTest#algorithms")
  void everyBarrierAndEveryWaitIsNeeded(Algorithm algorithm) {
    for (int n : new int[] {4, 6, 8}) {
      for (int streams : new int[] {1, 2, 3}) {
        for (Transport transport : Transport.values()) {
          int[] streamOf = blocks(n, streams);
          Program program = lower(algorithm, n, transport, Operands.OUT_OF_PLACE, Barrier.PAIRWISE);
          List<StreamStep> steps = StreamSteps.of(program, streamOf);
          for (int i = 0; i < steps.size(); i++) {
            for (StreamStep mutant : mutants(program, steps.get(i), streamOf)) {
              List<StreamStep> mutated = new ArrayList<>(steps);
              mutated.set(i, mutant);
              assertThat(conflict(program, mutated, streamOf))
                  .as("%s n=%d %s %s", algorithm.name(), n, steps.get(i), mutant)
                  .isPresent();
            }
          }
        }
      }
    }
  }

  @Test
  void aStreamForEachRankIsAStepForEachSubmission() {
    for (Algorithm algorithm : LoweringTest.algorithms()) {
      for (Transport transport : Transport.values()) {
        Program program = lower(algorithm, 6, transport, Operands.OUT_OF_PLACE, Barrier.PAIRWISE);
        List<StreamStep> separate = StreamSteps.separate(program);
        assertThat(separate).hasSize(program.submissions().size());
        assertThat(conflict(program, separate, blocks(6, 6))).isEmpty();
        assertThat(StreamSteps.of(program, blocks(6, 6)).size())
            .isLessThanOrEqualTo(separate.size());
      }
    }
  }

  @Test
  void aBarrierLiesBeforeMarkedPartsAndBetweenKernelsOfOne() {
    Program program =
        lower(
            Algorithms.named("ring"), 4, Transport.DIRECT, Operands.OUT_OF_PLACE, Barrier.PAIRWISE);
    StreamStep step = StreamSteps.of(program, blocks(4, 1)).get(0);
    List<String> written = new ArrayList<>();

    step.writeTo(
        new StreamStep.Sink() {
          @Override
          public void barrier() {
            written.add("barrier");
          }

          @Override
          public void kernel(int submission, int kernel) {
            written.add(submission + "." + kernel);
          }
        },
        program);

    List<String> expected = new ArrayList<>();
    for (Part part : step.parts()) {
      for (int k = 0; k < program.submissions().get(part.submission()).kernels().size(); k++) {
        if (part.barrier() || k > 0) {
          expected.add("barrier");
        }
        expected.add(part.submission() + "." + k);
      }
    }
    assertThat(written).isEqualTo(expected).contains("barrier");
  }

  @Test
  void oneStreamIsOneStepWithoutWaits() {
    Program program =
        lower(
            Algorithms.named("ring"),
            5,
            Transport.STAGED_HOST,
            Operands.OUT_OF_PLACE,
            Barrier.PAIRWISE);
    List<StreamStep> steps = StreamSteps.of(program, blocks(5, 1));
    assertThat(steps).hasSize(1);
    assertThat(steps.get(0).waits()).isEmpty();
    assertThat(steps.get(0).parts()).hasSize(program.submissions().size());
  }

  /** Eight publishes and eight folds are two steps on each of two streams. */
  @Test
  void oneShotOnTwoStreams() {
    Program program =
        lower(
            Algorithms.named("one-shot"),
            8,
            Transport.STAGED_HOST,
            Operands.OUT_OF_PLACE,
            Barrier.PAIRWISE);
    List<StreamStep> steps = StreamSteps.of(program, blocks(8, 2));
    assertThat(steps).hasSize(4);
    assertThat(steps.get(2).waits()).extracting(PeerNeeds::peer).containsExactly(4);
    assertThat(steps).flatExtracting(StreamStep::parts).noneMatch(Part::barrier);
  }

  private static <T> T oneOf(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }

  private static List<StreamStep> mutants(Program program, StreamStep step, int[] streamOf) {
    List<StreamStep> mutants = new ArrayList<>();
    for (int stream : Arrays.stream(streamOf).distinct().toArray()) {
      List<PeerNeeds> kept = new ArrayList<>(step.waits());
      kept.removeIf(wait -> streamOf[wait.peer()] == stream);
      if (step.waits().stream().anyMatch(w -> streamOf[w.peer()] == stream && isInside(w))) {
        mutants.add(new StreamStep(step.stream(), kept, step.parts()));
      }
    }
    Set<Integer> ranks = new HashSet<>();
    for (int i = 0; i < step.parts().size(); i++) {
      Part part = step.parts().get(i);
      if (part.barrier()) {
        List<Part> parts = new ArrayList<>(step.parts());
        parts.set(i, new Part(part.submission(), false));
        // A rank keeps its own order even where its submissions touch different memory.
        if (!ranks.contains(program.submissions().get(part.submission()).rank())) {
          mutants.add(new StreamStep(step.stream(), step.waits(), parts));
        }
        ranks.clear();
      }
      ranks.add(program.submissions().get(part.submission()).rank());
    }
    return mutants;
  }

  /** Readers in earlier invocations need not have any that conflict: not if they are all. */
  private static boolean isInside(PeerNeeds wait) {
    return wait.needs().stream().anyMatch(one -> one.need().value() != PeerWait.NONE);
  }

  private static Optional<Races.Conflict> conflict(
      Program program, List<StreamStep> steps, int[] streamOf) {
    StreamProof proof = new StreamProof(streamOf);
    Optional<Races.Conflict> first = proof.add(program, steps);
    return first.isPresent() ? first : proof.add(program, steps);
  }

  private static void everySubmissionOnceAndInOrder(Program program, List<StreamStep> steps) {
    List<Integer> all = new ArrayList<>();
    int last = -1;
    for (StreamStep step : steps) {
      int first = step.parts().get(0).submission();
      assertThat(first).isGreaterThan(last);
      last = first;
      step.parts().forEach(part -> all.add(part.submission()));
    }
    assertThat(all).doesNotHaveDuplicates().hasSize(program.submissions().size());
  }

  private static Program lower(
      Algorithm algorithm, int n, Transport transport, Operands where, Barrier barrier) {
    return lower(algorithm, n, transport, where, barrier, 1);
  }

  private static Program lower(
      Algorithm algorithm,
      int n,
      Transport transport,
      Operands where,
      Barrier barrier,
      int repetitions) {
    return Lowering.lower(
        algorithm.plan(n, 8 * n + 3, 8),
        LoweringSpec.of(Precision.BF16, transport, where)
            .withBarrier(barrier)
            .repeated(repetitions));
  }

  /** Neighbours share a stream. */
  private static int[] blocks(int ranks, int streams) {
    int[] streamOf = new int[ranks];
    Arrays.setAll(streamOf, rank -> rank * streams / ranks);
    return streamOf;
  }

  /** Any ranks share a stream. */
  private static int[] dealt(int ranks, int streams) {
    Random random = new Random(31L * ranks + streams);
    int[] streamOf = new int[ranks];
    Arrays.setAll(streamOf, rank -> rank < streams ? rank : random.nextInt(streams));
    return streamOf;
  }
}
