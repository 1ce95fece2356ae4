package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Reduce-scatter and all-gather over a circulant graph: least volume in a logarithmic number of
 * rounds for every n, powers of two or not.
 *
 * <p>The range of blocks a rank still works on starts at n and is halved, rounded up, in each round
 * of the reduce-scatter; rank r works on blocks r, r+1, … (mod n). In the round from s' to s =
 * ⌈s'/2⌉ blocks, rank r adds to its first s'−s blocks what rank r−s holds of them. The all-gather
 * runs the rounds backwards: rank r copies blocks r+s … r+s'−1 from rank r+s.
 *
 * <pre>
 *          rank 0        rank 1        rank 2        rank 3
 * round 0  b0,b1: 2+0    b1,b2: 3+1    b2,b3: 0+2    b3,b0: 1+3    s=2
 * round 1  b0: 3+0       b1: 0+1       b2: 1+2       b3: 2+3       s=1
 * round 2  b1 ← 1        b2 ← 2        b3 ← 3        b0 ← 0        and a self-copy of block r
 * round 3  b2,b3 ← 2     b3,b0 ← 3     b0,b1 ← 0     b1,b2 ← 1
 * </pre>
 *
 * <ul>
 *   <li>Source: Träff, "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms" (2024).
 *   <li>Rounds: 2⌈log2 n⌉, the least possible for this volume.
 *   <li>Wire for m bytes: every rank receives n−1 blocks in each phase, 2(n−1)/n·m in all.
 *   <li>Add depth: ⌈log2 n⌉.
 *   <li>Wins: any n that is not a power of two, from middle sizes on.
 *   <li>Preconditions: a commutative operation, which rounded addition is.
 * </ul>
 */
public final class Circulant extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "circulant";
  }

  @Override
  public String summary() {
    return "logarithmic rounds and least volume for every number of ranks";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    ChunkMap blocks = new ChunkMap(whole, ranks, granule);
    int phase = Log2.ceil(ranks);
    return new LazyRounds(
        2 * phase,
        round ->
            round < phase
                ? reduceScatter(ranks, blocks, round)
                : allGather(ranks, blocks, 2 * phase - 1 - round));
  }

  private static Round reduceScatter(int ranks, ChunkMap blocks, int halvings) {
    int before = halved(ranks, halvings);
    int after = halved(before, 1);
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      int source = Math.floorMod(rank - after, ranks);
      addCyclic(round, ranks, blocks, rank, rank, before - after, source, rank);
    }
    return round.build();
  }

  private static Round allGather(int ranks, ChunkMap blocks, int halvings) {
    int after = halved(ranks, halvings);
    int before = halved(after, 1);
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      if (before == 1) {
        round.combine(rank, blocks.chunk(rank), rank);
      }
      int source = (rank + before) % ranks;
      addCyclic(round, ranks, blocks, rank, source, after - before, source);
    }
    return round.build();
  }

  /** {@code n} halved so many times, rounding up: ⌈n/2^times⌉. */
  private static int halved(int n, int times) {
    return ((n - 1) >> times) + 1;
  }

  /** One combine for {@code length} blocks from {@code first} on, two where they pass block 0. */
  private static void addCyclic(
      RoundBuilder round,
      int ranks,
      ChunkMap blocks,
      int rank,
      int first,
      int length,
      int... operands) {
    int wrapped = Math.max(0, first + length - ranks);
    round.combine(rank, blocks.range(0, wrapped), operands);
    round.combine(rank, blocks.range(first, first + length - wrapped), operands);
  }
}
