package org.allreducelab.algorithms;

import java.util.stream.IntStream;
import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Direct reduce-scatter, then direct all-gather: rank r folds chunk r of all ranks in absolute rank
 * order, then everybody copies every chunk from its owner.
 *
 * <pre>
 *          rank 0         rank 1         rank 2         rank 3
 * round 0  c0: 0+1+2+3    c1: 0+1+2+3    c2: 0+1+2+3    c3: 0+1+2+3
 * round 1  every rank: c0 ← 0, c1 ← 1, c2 ← 2, c3 ← 3
 * </pre>
 *
 * <ul>
 *   <li>Source: the two-shot kernels of serving engines.
 *   <li>Rounds: 2.
 *   <li>Wire for m bytes: every rank receives 2(n−1)/n·m, the least possible.
 *   <li>Add depth: n−1, in the order of {@link OneShot}: the same bytes when the wire type is the
 *       element type.
 *   <li>Wins: middle sizes on directly connected ranks: few rounds and the least volume, at n−1
 *       messages per rank and round.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class TwoShot extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "two-shot";
  }

  @Override
  public String summary() {
    return "direct reduce-scatter and all-gather; two rounds, least volume";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    ChunkMap chunks = new ChunkMap(whole, ranks, granule);
    return new LazyRounds(2, round -> round == 0 ? reduce(ranks, chunks) : gather(ranks, chunks));
  }

  private static Round reduce(int ranks, ChunkMap chunks) {
    int[] inRankOrder = IntStream.range(0, ranks).toArray();
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      round.combine(rank, chunks.chunk(rank), inRankOrder);
    }
    return round.build();
  }

  private static Round gather(int ranks, ChunkMap chunks) {
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      for (int owner = 0; owner < ranks; owner++) {
        round.combine(rank, chunks.chunk(owner), owner);
      }
    }
    return round.build();
  }
}
