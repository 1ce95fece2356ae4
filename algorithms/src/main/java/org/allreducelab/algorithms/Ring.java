package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Chunks travel once around the ring to be summed and once more to be spread.
 *
 * <pre>
 *          rank 0       rank 1       rank 2       rank 3
 * round 0  c3: 3+0      c0: 0+1      c1: 1+2      c2: 2+3      each: (from rank−1) + own
 * round 1  c2: ..+0     c3: ..+1     c0: ..+2     c1: ..+3
 * round 2  c1: ..+0     c2: ..+1     c3: ..+2     c0: ..+3     rank c−1 owns chunk c
 * round 3  c0 ← 3       c1 ← 0       c2 ← 1       c3 ← 2       and a self-copy of the own chunk
 * round 4  c3 ← 3       c0 ← 0       c1 ← 1       c2 ← 2
 * round 5  c2 ← 3       c3 ← 0       c0 ← 1       c1 ← 2
 * </pre>
 *
 * <ul>
 *   <li>Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
 *       workstations", JPDC 69 (2009).
 *   <li>Rounds: 2(n−1).
 *   <li>Wire for m bytes: every rank receives 2(n−1)/n·m, the least possible.
 *   <li>Add depth: n−1. Chunk c is {@code ((x[c]+x[c+1])+…)+x[c−1]}: the order turns with the
 *       chunk, so an element's bytes depend on the vector's length.
 *   <li>Wins: long vectors, and wherever only neighbours are well connected.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class Ring extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "ring";
  }

  @Override
  public String summary() {
    return "chunks travel around a ring of ranks; least volume, neighbours only";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    RingPass up = RingPass.upwards(ranks, whole, granule);
    return new LazyRounds(RingPass.roundCount(ranks), index -> round(ranks, index, up));
  }

  /** What the passes do in one round, rank by rank. */
  static Round round(int ranks, int index, RingPass... passes) {
    RoundBuilder round = new RoundBuilder();
    for (int rank = 0; rank < ranks; rank++) {
      for (RingPass pass : passes) {
        pass.addTo(round, rank, index);
      }
    }
    return round.build();
  }
}
