package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Space;
import org.allreducelab.backends.lowering.Submission;
import org.junit.jupiter.api.Test;

class BareCopyTest {
  /** Whatever the group chose: one fold in one submission, and no wait, so it is the least. */
  @Test
  void isOneKernelInOneSubmissionThatWaitsForNothing() {
    for (int ranks = 1; ranks <= 8; ranks++) {
      for (Precision precision : Precision.presets()) {
        if (precision.supportsRanks(ranks)) {
          for (Transport transport : Transport.values()) {
            for (Barrier barrier : Barrier.values()) {
              requireBare(
                  Lowering.lower(
                      BareCopy.schedule(ranks, 1000),
                      LoweringSpec.of(precision, transport, Operands.OUT_OF_PLACE)
                          .withBarrier(barrier)));
            }
          }
        }
      }
    }
  }

  private static void requireBare(Program program) {
    assertThat(program.submissions()).hasSize(1);
    Submission submission = program.submissions().get(0);
    assertThat(submission.rank()).isZero();
    assertThat(submission.waits()).isEmpty();
    assertThat(program.lateReaderWaits()).isZero();
    assertThat(submission.kernels()).hasSize(1);
    Kernel kernel = submission.kernels().get(0);
    assertThat(kernel.folds()).hasSize(1);
    Fold fold = kernel.folds().get(0);
    assertThat(fold.length()).isEqualTo(1000);
    assertThat(fold.publish()).isNull();
    assertThat(fold.destination().space()).isEqualTo(Space.RECV);
    assertThat(fold.sources()).hasSize(1);
    assertThat(fold.sources().get(0).region().space()).isEqualTo(Space.SEND);
    for (int rank = 0; rank < program.ranks(); rank++) {
      assertThat(program.slotBytes(rank)).isZero();
    }
  }
}
