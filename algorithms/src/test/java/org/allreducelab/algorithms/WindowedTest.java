package org.allreducelab.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.ScheduleChecker;
import org.allreducelab.algorithms.schedule.ScheduleReport;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowedTest {
  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void windowsOfAnyLengthAreAnAllReduce(Algorithm algorithm) {
    for (int ranks : new int[] {1, 2, 3, 8}) {
      for (int window : new int[] {1, 7, 64, 100, 101}) {
        Schedule schedule = new Windowed(algorithm, window).plan(ranks, 101, 8);
        ScheduleReport report = ScheduleChecker.check(schedule, Precision.BF16);
        assertThat(report.fault()).as("%s n=%d window %d", algorithm, ranks, window).isEmpty();
        assertThat(report.identical()).isTrue();
      }
    }
  }

  /** Each window holds the bytes that the algorithm gives for a vector of that length alone. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void everyWindowHasTheBytesOfItsOwnAllReduce(Algorithm algorithm) {
    int ranks = 5;
    int count = 100;
    int window = 32;
    byte[][] inputs = TestVectors.mixed(Precision.BF16.element(), ranks, 3).vectors(count);
    byte[][] whole =
        new ReferenceSimulator(new Windowed(algorithm, window).plan(ranks, count), Precision.BF16)
            .run(inputs);
    for (int from = 0; from < count; from += window) {
      int to = Math.min(count, from + window);
      byte[][] part = new byte[ranks][];
      for (int rank = 0; rank < ranks; rank++) {
        part[rank] = Arrays.copyOfRange(inputs[rank], 2 * from, 2 * to);
      }
      byte[][] expected =
          new ReferenceSimulator(algorithm.plan(ranks, to - from), Precision.BF16).run(part);
      for (int rank = 0; rank < ranks; rank++) {
        assertThat(Arrays.copyOfRange(whole[rank], 2 * from, 2 * to)).isEqualTo(expected[rank]);
      }
    }
  }

  @Test
  void aVectorThatFitsIsPlannedAsItIs() {
    Algorithm ring = Algorithms.named("ring");
    assertThat(new Windowed(ring, 100).plan(4, 100)).isEqualTo(ring.plan(4, 100));
    assertThatThrownBy(() -> new Windowed(ring, 0))
        .hasMessage("a window needs at least 1 element, not 0");
  }
}
