package org.allreducelab.backends.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowFitTest {
  private static final WindowFit STAGED =
      new WindowFit(LoweringSpec.of(Precision.F32, Transport.STAGED_HOST, Operands.OUT_OF_PLACE));

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  /** However many windows there are, they share the slots of one. */
  @ParameterizedTest
  @MethodSource("algorithms")
  void everyAlgorithmFitsAFractionOfItsMessage(Algorithm algorithm) {
    int count = 1 << 16;
    for (int ranks : new int[] {2, 3, 8}) {
      long whole = STAGED.requestBytes(algorithm, ranks, count, 8);
      long limit = 32 << 10;
      Algorithm fitted = STAGED.fit(algorithm, ranks, count, 8, limit);
      assertThat(whole).as("%s n=%d", algorithm.name(), ranks).isGreaterThan(limit);
      List<Schedule> parts = WindowFit.parts(fitted, ranks, count, 8);
      assertThat(parts).hasSizeGreaterThan(1);
      for (Schedule part : parts) {
        Program program = Lowering.lower(part, STAGED.lowering());
        for (int rank = 0; rank < ranks; rank++) {
          assertThat(program.slotBytes(rank)).isLessThanOrEqualTo(limit);
        }
      }
    }
  }

  @Test
  void ringOfTwoRanksStagesTheWholeMessage() {
    Algorithm ring = Algorithms.named("ring");
    assertThat(STAGED.requestBytes(ring, 2, 5120 * 512, 8)).isEqualTo(10L << 20);
  }

  @Test
  void whatFitsStaysAsItIs() {
    Algorithm ring = Algorithms.named("ring");
    assertThat(STAGED.fit(ring, 2, 1000, 8, 4000)).isSameAs(ring);
    assertThat(STAGED.fit(ring, 2, 1000, 8, Long.MAX_VALUE)).isSameAs(ring);
  }

  @Test
  void tooLittleIsOneClearError() {
    assertThatThrownBy(() -> STAGED.fit(Algorithms.named("ring"), 2, 1 << 20, 8, 100))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "a staging capacity of 100 bytes is too little for ring of 1048576 elements on 2 ranks,"
                + " even in windows; allow more");
  }
}
