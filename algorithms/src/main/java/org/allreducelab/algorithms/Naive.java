package org.allreducelab.algorithms;

import java.util.stream.IntStream;
import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Reduce to rank 0, then broadcast: rank 0 folds all ranks in rank order, everybody copies rank 0.
 *
 * <pre>
 *          rank 0     rank 1   rank 2   rank 3
 * round 0  0+1+2+3    -        -        -
 * round 1  (self)     ← 0      ← 0      ← 0
 * </pre>
 *
 * <ul>
 *   <li>Source: the linear reduce and broadcast of early MPI libraries.
 *   <li>Rounds: 2.
 *   <li>Wire for m bytes: rank 0 receives (n−1)·m and sends (n−1)·m; every other rank receives m.
 *   <li>Add depth: n−1. The sum is the chain {@code ((x0+x1)+x2)+…} everywhere.
 *   <li>Wins: two ranks, or as the baseline that others are measured against; rank 0 is the
 *       bottleneck.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class Naive extends RoundwiseAlgorithm {
  private static final int ROOT = 0;

  @Override
  public String name() {
    return "naive";
  }

  @Override
  public String summary() {
    return "rank 0 folds all ranks, everybody copies rank 0; the baseline";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    return new LazyRounds(2, round -> round == 0 ? reduce(ranks, whole) : broadcast(ranks, whole));
  }

  private static Round reduce(int ranks, Span whole) {
    return new RoundBuilder().combine(ROOT, whole, IntStream.range(0, ranks).toArray()).build();
  }

  /** Rank 0 copies itself: with a narrower wire it must keep what its peers received. */
  private static Round broadcast(int ranks, Span whole) {
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      round.combine(rank, whole, ROOT);
    }
    return round.build();
  }
}
