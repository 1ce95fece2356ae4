package org.allreducelab.algorithms.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TraceTest {

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void theTraceEndsWithTheResult(Algorithm algorithm) {
    for (Precision precision : List.of(Precision.BF16, Precision.F32_BF16WIRE)) {
      ElementType type = precision.element();
      byte[][] inputs = TestVectors.mixed(type, 5, 1).vectors(40);
      ReferenceSimulator simulator = new ReferenceSimulator(algorithm.plan(5, 40, 1), precision);
      byte[][] results = simulator.run(inputs);
      for (int element = 0; element < 40; element++) {
        Trace trace = simulator.trace(inputs, element);
        for (int rank = 0; rank < 5; rank++) {
          assertThat(trace.input(rank)).isEqualTo(type.get(inputs[rank], element));
          assertThat(trace.result(rank)).isEqualTo(type.get(results[rank], element));
        }
      }
    }
  }

  @Test
  void everyRoundIsARunCutOffThere() {
    Schedule schedule = Algorithms.named("halving-doubling").plan(6, 30, 1);
    byte[][] inputs = TestVectors.mixed(ElementType.BF16, 6, 2).vectors(30);
    Trace trace = new ReferenceSimulator(schedule, Precision.BF16).trace(inputs, 17);
    assertThat(trace.rounds()).isEqualTo(schedule.rounds().size());
    for (int round = 0; round < trace.rounds(); round++) {
      Schedule cut = new Schedule(6, 30, schedule.rounds().subList(0, round + 1));
      byte[][] states = new ReferenceSimulator(cut, Precision.BF16).run(inputs);
      for (int rank = 0; rank < 6; rank++) {
        assertThat(trace.after(round, rank)).isEqualTo(ElementType.BF16.get(states[rank], 17));
      }
    }
  }

  @Test
  void aStepNamesWhatItFolded() {
    Trace trace = ring(Precision.BF16, 0x4380, 0x3f80, 0x3f80);

    // Chunk 0 is rank 0 + rank 1 on rank 1, then + rank 2 on rank 2.
    TraceStep step = trace.step(1, 2).orElseThrow();
    assertThat(step.rank()).isEqualTo(2);
    assertThat(step.operands())
        .containsExactly(
            new TraceStep.Operand(1, 0x4380, 0x4380), new TraceStep.Operand(2, 0x3f80, 0x3f80));
    assertThat(step.describe())
        .isEqualTo("round 1, rank 2, element 0: rank 1 4380 + rank 2 3F80 -> 4380");
    assertThat(trace.step(0, 0)).isEmpty();
  }

  @Test
  void aStepShowsWhatTheWireChanged() {
    Trace trace = ring(Precision.F32_BF16WIRE, 0x3f800001, 0x40000000, 0);

    assertThat(trace.step(0, 1).orElseThrow().describe())
        .isEqualTo(
            "round 0, rank 1, element 0: rank 0 3F800001~3F800000 + rank 1 40000000 -> 40400000");
  }

  @Test
  void blamesTheFirstWrongRound() {
    Trace trace = ring(Precision.BF16, 0x4380, 0x4000, 0x4040);

    assertThat(trace.firstWrong(trace::after)).isEmpty();
    // A flipped bit in round 1 on rank 2, which spoils all that follows.
    TraceStep step =
        trace
            .firstWrong(
                (round, rank) -> trace.after(round, rank) ^ (round >= 1 && rank == 2 ? 1 : 0))
            .orElseThrow();
    assertThat(step.round()).isEqualTo(1);
    assertThat(step.rank()).isEqualTo(2);
  }

  @Test
  void valuesThatNoRoundWroteAreNotCompared() {
    Trace trace = ring(Precision.BF16, 0x4380, 0x4000, 0x4040);

    // Rank 0 holds element 0 unwritten until the gather: an output buffer may hold anything.
    assertThat(
            trace.firstWrong(
                (round, rank) -> round < 2 && rank == 0 ? 0xdead : trace.after(round, rank)))
        .isEmpty();
  }

  private static Trace ring(Precision precision, int... inputs) {
    ElementType type = precision.element();
    byte[][] vectors = new byte[inputs.length][3 * type.bytes()];
    for (int rank = 0; rank < inputs.length; rank++) {
      type.put(vectors[rank], 0, inputs[rank]);
    }
    Schedule schedule = Algorithms.named("ring").plan(inputs.length, 3, 1);
    return new ReferenceSimulator(schedule, precision).trace(vectors, 0);
  }
}
