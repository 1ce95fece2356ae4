package org.allreducelab.backends.device;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds {@link WaitCosts} from the times of a few rhythms, in which ranks do nothing but wait for
 * each other.
 *
 * <pre>
 *   throws   rank 0 ⇄ rank 1, in turn                          a hop
 *   one      all ranks, each waits for its neighbour           n waits a round
 *   all      all ranks, each waits for all others              n(n−1) waits a round
 *   alone    rank 0, waiting for nothing, or for what is past  a satisfied wait
 * </pre>
 *
 * <p>The best of a few repetitions counts: the rest is other work of the machine.
 */
public final class WaitRhythms {
  /** More ranks than these tell nothing new. */
  public static final int MOST_RANKS = 4;

  /** With fewer both barriers are the same. */
  public static final int LEAST_RANKS = 3;

  /** Rounds of a rhythm. */
  public static final int ROUNDS = 16;

  private static final int REPEATS = 5;

  private final int ranks;
  private final Runner runner;

  private WaitRhythms(int ranks, Runner runner) {
    this.ranks = ranks;
    this.runner = runner;
  }

  /** What a rank waits for in a round. */
  public interface Rhythm {
    List<PeerRound> waits(int rank, int round);
  }

  /**
   * A wait.
   *
   * @param peer for whom
   * @param rounds how many of its rounds of this rhythm must be done
   */
  public record PeerRound(int peer, int rounds) {}

  /** Runs a rhythm. */
  public interface Runner {
    /**
     * Runs {@link #ROUNDS} rounds, round by round and in a round by rank.
     *
     * @param active how many ranks take part, from rank 0 on; who does not has done one round
     * @return microseconds for all rounds
     */
    double us(int active, Rhythm rhythm);
  }

  /**
   * Measures.
   *
   * @param ranks {@link #LEAST_RANKS} to {@link #MOST_RANKS}
   */
  public static WaitCosts measure(int ranks, Runner runner) {
    return new WaitRhythms(ranks, runner).costs();
  }

  private WaitCosts costs() {
    double hop = best(2, this::inTurn) / (2 * ROUNDS);
    double one = best(ranks, this::neighbour) / ROUNDS;
    double all = best(ranks, this::everyone) / ROUNDS;
    double alone = best(1, (rank, round) -> List.of()) / ROUNDS;
    double satisfied = best(1, this::past) / ROUNDS;
    int moreWaits = ranks * (ranks - 1) - ranks;
    return new WaitCosts(
        Math.max(0, satisfied - alone) / (ranks - 1), Math.max(0, all - one) / moreWaits, hop);
  }

  private List<PeerRound> inTurn(int rank, int round) {
    return rank == 1 ? List.of(new PeerRound(0, round + 1)) : later(round, 1);
  }

  private List<PeerRound> neighbour(int rank, int round) {
    return later(round, (rank + 1) % ranks);
  }

  private static List<PeerRound> later(int round, int peer) {
    return round == 0 ? List.of() : List.of(new PeerRound(peer, round));
  }

  private List<PeerRound> everyone(int rank, int round) {
    List<PeerRound> waits = new ArrayList<>();
    for (int peer = 0; peer < ranks && round > 0; peer++) {
      if (peer != rank) {
        waits.add(new PeerRound(peer, round));
      }
    }
    return waits;
  }

  private List<PeerRound> past(int rank, int round) {
    List<PeerRound> waits = new ArrayList<>();
    for (int peer = 1; peer < ranks; peer++) {
      waits.add(new PeerRound(peer, 1));
    }
    return waits;
  }

  private double best(int active, Rhythm rhythm) {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < REPEATS; i++) {
      best = Math.min(best, runner.us(active, rhythm));
    }
    return best;
  }
}
