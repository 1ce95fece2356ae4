package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Reduce to rank 0 over a binomial tree, then broadcast down the same tree.
 *
 * <pre>
 *          rank 0       rank 1    rank 2    rank 3
 * round 0  0+1          -         2+3       -
 * round 1  (01)+(23)    -         -         -
 * round 2  (self)       -         ← 0       -
 * round 3  -            ← 0       -         ← 2
 * </pre>
 *
 * <ul>
 *   <li>Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication
 *       operations in MPICH", IJHPCA 19 (2005).
 *   <li>Rounds: 2⌈log2 n⌉: distances 1, 2, 4, … up, the same backwards down. A rank without a
 *       partner passes through.
 *   <li>Wire for m bytes: rank 0 receives ⌈log2 n⌉·m, the most of all ranks.
 *   <li>Add depth: ⌈log2 n⌉.
 *   <li>Wins: short vectors where a rank may talk to one peer at a time and power-of-two exchanges
 *       do not fit; few messages in all: 2(n−1).
 *   <li>Preconditions: none.
 * </ul>
 */
public final class BinomialTree extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "binomial-tree";
  }

  @Override
  public String summary() {
    return "reduce and broadcast over a binomial tree; fewest messages";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    int levels = Log2.ceil(ranks);
    return new LazyRounds(
        2 * levels,
        round ->
            round < levels
                ? up(ranks, whole, 1 << round)
                : down(ranks, whole, 1 << (2 * levels - 1 - round), round == levels));
  }

  private static Round up(int ranks, Span whole, int distance) {
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank + distance < ranks; rank += 2 * distance) {
      round.combine(rank, whole, rank, rank + distance);
    }
    return round.build();
  }

  private static Round down(int ranks, Span whole, int distance, boolean first) {
    RoundBuilder round = new RoundBuilder();
    if (first) {
      round.combine(0, whole, 0);
    }
    for (int rank = 0; rank + distance < ranks; rank += 2 * distance) {
      round.combine(rank + distance, whole, rank);
    }
    return round.build();
  }
}
