package org.allreducelab.backends.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.api.Test;

final class SlotRangeTest {
  private static Region slot(int rank, long offset) {
    return new Region(rank, Space.SLOT, offset, ElementType.BF16);
  }

  private static Region recv(long offset) {
    return new Region(0, Space.RECV, offset, ElementType.BF16);
  }

  private static Submission of(Fold... folds) {
    Kernel kernel = new Kernel(0, 0, Kernel.Kind.FOLD, List.of(folds));
    return new Submission(0, 1, Submission.Kind.WORK, 0, 0, List.of(), List.of(), List.of(kernel));
  }

  private static Source from(Region region) {
    return new Source(region, false);
  }

  @Test
  void neighboursAndRepetitionsAreOneRange() {
    Submission s =
        of(
            new Fold(recv(0), null, 10, List.of(from(slot(2, 20)), from(slot(1, 0)))),
            new Fold(recv(20), null, 10, List.of(from(slot(2, 0)))),
            new Fold(recv(40), null, 10, List.of(from(slot(2, 20)))),
            new Fold(recv(60), null, 1, List.of(from(slot(2, 42)))));
    assertThat(SlotRange.readFromPeers(s))
        .containsExactly(new SlotRange(1, 0, 20), new SlotRange(2, 0, 40), new SlotRange(2, 42, 2));
  }

  @Test
  void ownSlotsAreWrittenAndPeersAreRead() {
    Submission s =
        of(new Fold(recv(0), slot(0, 8), 4, List.of(from(slot(0, 0)), from(slot(1, 16)))));
    assertThat(SlotRange.readFromPeers(s)).containsExactly(new SlotRange(1, 16, 8));
    assertThat(SlotRange.written(s)).containsExactly(new SlotRange(0, 8, 8));
  }

  /** What peers read of a rank's slots in a program, the rank has written. */
  @Test
  void whatIsReadWasWritten() {
    for (String name : List.of("ring", "two-shot", "binomial-tree")) {
      Program program =
          Lowering.lower(
              Algorithms.named(name).plan(4, 1001),
              LoweringSpec.of(Precision.BF16, Transport.STAGED_HOST, Operands.IN_PLACE));
      List<SlotRange> written =
          program.submissions().stream().flatMap(s -> SlotRange.written(s).stream()).toList();
      for (Submission s : program.submissions()) {
        for (SlotRange read : SlotRange.readFromPeers(s)) {
          assertThat(read.owner()).isNotEqualTo(s.rank());
          assertThat(written)
              .as("%s reads %s", name, read)
              .anyMatch(
                  w ->
                      w.owner() == read.owner()
                          && w.offset() <= read.offset()
                          && read.offset() < w.offset() + w.bytes());
        }
      }
    }
  }
}
