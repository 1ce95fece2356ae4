package org.allreducelab.algorithms;

import java.util.stream.IntStream;
import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Every rank reads every rank's whole vector and folds it in absolute rank order.
 *
 * <pre>
 *          rank 0     rank 1     rank 2     rank 3
 * round 0  0+1+2+3    0+1+2+3    0+1+2+3    0+1+2+3
 * </pre>
 *
 * With {@code pieces=k} the vector is cut in k parts of (nearly) equal length, one after the other
 * round by round. The bytes are the same; where values are staged, a part is published while the
 * one before it is folded, so that a link that carries both directions at once does.
 *
 * <ul>
 *   <li>Source: the one-shot kernels of serving engines; in MPI terms an all-gather with a local
 *       reduction.
 *   <li>Rounds: 1, or the number of pieces.
 *   <li>Wire for m bytes: every rank receives (n−1)·m.
 *   <li>Add depth: n−1. The order is by absolute rank: with its own value first each rank would
 *       round differently.
 *   <li>Wins: short vectors on few, directly connected ranks, where latency is everything; in
 *       pieces, long vectors of two ranks that stage through host memory.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class OneShot extends RoundwiseAlgorithm {
  static final int MOST_PIECES = 1024;

  private final int pieces;

  /** In one piece. */
  public OneShot() {
    this(1);
  }

  /**
   * @param pieces parts of the vector, 1 to 1024
   */
  public OneShot(int pieces) {
    if (pieces < 1 || pieces > MOST_PIECES) {
      throw new IllegalArgumentException("pieces must be 1 to " + MOST_PIECES + ", not " + pieces);
    }
    this.pieces = pieces;
  }

  @Override
  public String name() {
    return AlgorithmName.of("one-shot").with("pieces", pieces, 1).canonical();
  }

  @Override
  public String summary() {
    return "every rank folds all ranks at once; lowest latency for short vectors";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    ChunkMap parts = new ChunkMap(whole, pieces, granule);
    return new LazyRounds(pieces, round -> foldEverywhere(ranks, parts.chunk(round)));
  }

  private static Round foldEverywhere(int ranks, Span part) {
    int[] inRankOrder = IntStream.range(0, ranks).toArray();
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      round.combine(rank, part, inRankOrder);
    }
    return round.build();
  }
}
