package org.allreducelab.backends.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** On a device whose costs are known. */
final class WaitRhythmsTest {
  private static final double START_US = 3;
  private static final double HOP_US = 7;
  private static final double WAIT_US = 0.5;
  private static final double SATISFIED_US = 0.25;

  /**
   * Rounds one after the other, each a hop where somebody waits for this rhythm, and waits on top
   * but for the first of a rank.
   */
  private static double us(int active, WaitRhythms.Rhythm rhythm) {
    double us = active == 2 ? 0 : START_US;
    for (int round = 0; round < WaitRhythms.ROUNDS; round++) {
      for (int rank = 0; rank < active; rank++) {
        for (WaitRhythms.PeerRound wait : rhythm.waits(rank, round)) {
          assertThat(wait.peer()).isNotEqualTo(rank);
          assertThat(wait.rounds()).isBetween(1, rank == 1 && active == 2 ? round + 1 : 16);
          us += wait.peer() >= active ? SATISFIED_US : WAIT_US;
        }
      }
      us += active == 2 ? 2 * HOP_US - (round == 0 ? 1 : 2) * WAIT_US : 0;
    }
    return us;
  }

  @Test
  void knownCostsAreFound() {
    for (int ranks = WaitRhythms.LEAST_RANKS; ranks <= WaitRhythms.MOST_RANKS; ranks++) {
      WaitCosts costs = WaitRhythms.measure(ranks, WaitRhythmsTest::us);
      assertThat(costs.hopUs()).isCloseTo(HOP_US, within(1e-9));
      assertThat(costs.satisfiedUs()).isCloseTo(SATISFIED_US, within(1e-9));
      // The first round waits for nothing.
      assertThat(costs.waitUs()).isCloseTo(WAIT_US * 15 / 16, within(1e-9));
    }
  }
}
