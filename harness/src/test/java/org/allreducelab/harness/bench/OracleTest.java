package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.DataKind;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.harness.SimulatedBackend;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.Verification;
import org.junit.jupiter.api.Test;

class OracleTest {
  private static final int RANKS = 3;
  private static final int COUNT = 200_000;
  private static final Precision PRECISION = Precision.BF16;
  private static final Schedule SCHEDULE = Algorithms.named("ring").plan(RANKS, COUNT);
  private static final byte[][] INPUTS =
      TestVectors.of(DataKind.GAUSSIAN, PRECISION.element(), RANKS, 1).vectors(COUNT);

  /** A group whose RECV buffers hold the right result. */
  private static Group reduced() {
    Group group =
        new SimulatedBackend()
            .open(
                GroupSpec.builder("fake:0", RANKS)
                    .precision(PRECISION)
                    .capacityBytes(2L * COUNT)
                    .build());
    for (int rank = 0; rank < RANKS; rank++) {
      group.write(rank, DataBuffer.SEND, INPUTS[rank]);
    }
    try (Collective collective = group.prepare(SCHEDULE, Operands.OUT_OF_PLACE)) {
      collective.enqueue();
      collective.await();
    }
    return group;
  }

  private static void flip(Group group, int rank, int element) {
    byte[] bytes = new byte[2 * COUNT];
    group.read(rank, DataBuffer.RECV, 0, bytes);
    bytes[2 * element] ^= 1;
    group.write(rank, DataBuffer.RECV, bytes);
  }

  private static Oracle full() {
    return new Oracle(SCHEDULE, PRECISION, INPUTS, 5);
  }

  private static Oracle windowed() {
    return new Oracle(SCHEDULE, PRECISION, INPUTS, 5, 1000);
  }

  @Test
  void everyElementOfEveryRankIsCompared() {
    try (Group group = reduced()) {
      assertThat(full().check(group, group.localRanks()))
          .isEqualTo(new Verification(Verdict.EXACT, (long) RANKS * COUNT, 0, false));
      flip(group, 1, 77);
      flip(group, 2, COUNT - 1);
      assertThat(full().check(group, group.localRanks()))
          .isEqualTo(new Verification(Verdict.WRONG, (long) RANKS * COUNT, 2, false));
    }
  }

  @Test
  void onlyTheRanksThatHaveAResultAreCompared() {
    try (Group group = reduced()) {
      flip(group, 1, 77);
      assertThat(full().check(group, List.of(0, 2)))
          .isEqualTo(new Verification(Verdict.EXACT, 2L * COUNT, 0, false));
      assertThat(windowed().check(group, List.of(0, 2)).verdict()).isEqualTo(Verdict.EXACT);
    }
  }

  @Test
  void windowsLieAtEveryChunkBorder() {
    int chunk = SCHEDULE.rounds().get(0).combines().get(0).span().length();
    for (int border : new int[] {0, chunk - 1, chunk, 2 * chunk, COUNT - 1}) {
      try (Group group = reduced()) {
        flip(group, 0, border);
        Verification found = windowed().check(group, group.localRanks());
        assertThat(found.windowed()).isTrue();
        assertThat(found.checkedElements()).isLessThan(3L * COUNT);
        // The element itself, and the checksum of its rank (seen from ranks 1 and 2).
        assertThat(found.wrongElements()).as("element %d", border).isGreaterThanOrEqualTo(1);
      }
    }
  }

  @Test
  void outsideTheWindowsTheChecksumsSeeIt() {
    try (Group group = reduced()) {
      Oracle oracle = windowed();
      Verification right = oracle.check(group, group.localRanks());
      assertThat(right.verdict()).isEqualTo(Verdict.EXACT);
      int missed = 0;
      for (int element = 1000; element < COUNT; element += 1000) {
        flip(group, 1, element);
        assertThat(oracle.check(group, group.localRanks()).verdict()).isEqualTo(Verdict.WRONG);
        assertThat(windowed().check(group, group.localRanks()).verdict()).isEqualTo(Verdict.WRONG);
        missed += oracle.check(group, group.localRanks()).wrongElements() == 1 ? 1 : 0;
        flip(group, 1, element);
      }
      assertThat(missed).as("elements that only a checksum saw").isPositive();
    }
  }
}
