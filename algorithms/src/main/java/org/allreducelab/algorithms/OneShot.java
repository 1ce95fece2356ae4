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
 * <ul>
 *   <li>Source: the one-shot kernels of serving engines; in MPI terms an all-gather with a local
 *       reduction.
 *   <li>Rounds: 1.
 *   <li>Wire for m bytes: every rank receives (n−1)·m.
 *   <li>Add depth: n−1. The order is by absolute rank: with its own value first each rank would
 *       round differently.
 *   <li>Wins: short vectors on few, directly connected ranks, where latency is everything.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class OneShot extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "one-shot";
  }

  @Override
  public String summary() {
    return "every rank folds all ranks at once; lowest latency for short vectors";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    return new LazyRounds(1, round -> foldEverywhere(ranks, whole));
  }

  private static Round foldEverywhere(int ranks, Span whole) {
    int[] inRankOrder = IntStream.range(0, ranks).toArray();
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      round.combine(rank, whole, inRankOrder);
    }
    return round.build();
  }
}
