package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Recursive halving and doubling whose partners swing around each rank at distances 1, −1, 3, −5,
 * 11, …: the most data moves over the shortest distances of a ring or torus.
 *
 * <pre>
 *          rank 0        rank 1        rank 2        rank 3
 * round 0  b0,b1: 0+1    b2,b3: 0+1    b2,b3: 2+3    b0,b1: 2+3    even ranks meet rank+1
 * round 1  b0: 0+3       b2: 1+2       b3: 1+2       b1: 0+3       even ranks meet rank−1
 * round 2  b1 ← 3        b3 ← 2        b2 ← 1        b0 ← 0        and a self-copy of the own block
 * round 3  b2,b3 ← 1     b0,b1 ← 0     b0,b1 ← 3     b2,b3 ← 2
 * </pre>
 *
 * <p>Blocks are permuted so that every exchanged set is contiguous: here rank 3 owns block 1.
 *
 * <ul>
 *   <li>Source: De Sensi, Bonato, Saam and Hoefler, "Swing: Short-cutting Rings for Higher
 *       Bandwidth Allreduce", NSDI 2024. Step s goes the distance (1−(−2)^(s+1))/3. The paper's
 *       handling of other n is replaced by {@link FoldRule#HIGH}.
 *   <li>Rounds: 2·log2 n for a power of two; otherwise 2⌊log2 n⌋ + 2.
 *   <li>Wire for m bytes: 2(n−1)/n·m per rank for a power of two, the least possible; otherwise,
 *       with p the largest power of two below n, up to m + 2(p−1)/p·m.
 *   <li>Add depth: ⌈log2 n⌉; from n = 8 on the tree depends on the block.
 *   <li>Wins: middle to long vectors on rings and tori, a power of two of ranks.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class Swing extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "swing";
  }

  @Override
  public String summary() {
    return "halving and doubling over short distances of a ring; least volume for powers of two";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    PowerOfTwoCore core = new PowerOfTwoCore(ranks, FoldRule.HIGH);
    Pairing pairing = Pairing.swing(core.size());
    return core.frame(new HalvingExchange(core, pairing, whole, granule).rounds(), whole);
  }
}
