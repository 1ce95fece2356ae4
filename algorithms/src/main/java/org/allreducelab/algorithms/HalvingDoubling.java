package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Recursive halving, then recursive doubling: in each step of the reduce-scatter a rank and its
 * partner split what they both work on, the lower rank keeping the lower half; the all-gather goes
 * back through the same partners.
 *
 * <pre>
 *          rank 0        rank 1        rank 2        rank 3
 * round 0  c0,c1: 0+2    c0,c1: 1+3    c2,c3: 0+2    c2,c3: 1+3    distance 2
 * round 1  c0: 0+1       c1: 0+1       c2: 2+3       c3: 2+3       distance 1
 * round 2  c1 ← 1        c0 ← 0        c3 ← 3        c2 ← 2        and a self-copy of the own chunk
 * round 3  c2,c3 ← 2     c2,c3 ← 3     c0,c1 ← 0     c0,c1 ← 1
 * </pre>
 *
 * <ul>
 *   <li>Source: Rabenseifner, "Optimization of collective reduction operations", ICCS 2004; Thakur,
 *       Rabenseifner and Gropp, IJHPCA 19 (2005).
 *   <li>Rounds: 2·log2 n for a power of two; otherwise 2⌊log2 n⌋ + 2, see {@link FoldRule}.
 *   <li>Wire for m bytes: 2(n−1)/n·m per rank for a power of two, the least possible; otherwise,
 *       with p the largest power of two below n, up to m + 2(p−1)/p·m.
 *   <li>Add depth: ⌈log2 n⌉, and the same bytes as {@link RecursiveDoubling} with the same
 *       parameters when the wire type is the element type.
 *   <li>Wins: middle to long vectors on a power of two of ranks.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class HalvingDoubling extends RoundwiseAlgorithm {
  private final DistanceOrder distance;
  private final FoldRule fold;

  /** Largest distance first; high ranks are folded in. */
  public HalvingDoubling() {
    this(DistanceOrder.DESC, FoldRule.HIGH);
  }

  /**
   * @param distance order of the reduce-scatter's distances; the all-gather's is the opposite
   * @param fold what happens to ranks beyond a power of two
   */
  public HalvingDoubling(DistanceOrder distance, FoldRule fold) {
    this.distance = distance;
    this.fold = fold;
  }

  @Override
  public String name() {
    return AlgorithmName.of("halving-doubling")
        .with("distance", distance, DistanceOrder.DESC)
        .with("fold", fold, FoldRule.HIGH)
        .canonical();
  }

  @Override
  public String summary() {
    return "recursive halving and doubling; least volume in few rounds for powers of two";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    PowerOfTwoCore core = new PowerOfTwoCore(ranks, fold);
    Pairing pairing = Pairing.hypercube(core.size(), distance);
    return core.frame(new HalvingExchange(core, pairing, whole, granule).rounds(), whole);
  }
}
