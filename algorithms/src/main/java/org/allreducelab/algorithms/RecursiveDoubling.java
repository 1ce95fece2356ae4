package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Ranks swap whole vectors with a partner at each power-of-two distance and add.
 *
 * <pre>
 *          rank 0       rank 1       rank 2       rank 3
 * round 0  0+2          1+3          0+2          1+3          distance 2
 * round 1  0+1          0+1          2+3          2+3          distance 1
 * </pre>
 *
 * <ul>
 *   <li>Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication
 *       operations in MPICH", IJHPCA 19 (2005).
 *   <li>Rounds: log2 n for a power of two; otherwise ⌊log2 n⌋ + 2, see {@link FoldRule}.
 *   <li>Wire for m bytes: every rank receives log2 n·m for a power of two; otherwise up to (⌊log2
 *       n⌋ + 1)·m.
 *   <li>Add depth: ⌈log2 n⌉.
 *   <li>Wins: short vectors: the fewest rounds with one partner at a time.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class RecursiveDoubling extends RoundwiseAlgorithm {
  private final DistanceOrder distance;
  private final FoldRule fold;

  /** Largest distance first; high ranks are folded in. */
  public RecursiveDoubling() {
    this(DistanceOrder.DESC, FoldRule.HIGH);
  }

  /**
   * @param distance order of the distances
   * @param fold what happens to ranks beyond a power of two
   */
  public RecursiveDoubling(DistanceOrder distance, FoldRule fold) {
    this.distance = distance;
    this.fold = fold;
  }

  @Override
  public String name() {
    return AlgorithmName.of("recursive-doubling")
        .with("distance", distance, DistanceOrder.DESC)
        .with("fold", fold, FoldRule.HIGH)
        .canonical();
  }

  @Override
  public String summary() {
    return "whole vectors swapped at each power-of-two distance; short vectors";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    PowerOfTwoCore core = new PowerOfTwoCore(ranks, fold);
    Pairing pairing = Pairing.hypercube(core.size(), distance);
    return core.frame(WholeVectorExchange.rounds(core, pairing, whole), whole);
  }
}
