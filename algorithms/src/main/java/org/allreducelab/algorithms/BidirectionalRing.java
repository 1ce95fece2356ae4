package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Two rings at once: the first half of the vector travels upwards as in {@link Ring}, the second
 * half downwards, so both directions of every link carry data.
 *
 * <pre>
 *          rank 0       rank 1       rank 2       rank 3
 * round 0  a3: 3+0      a0: 0+1      a1: 1+2      a2: 2+3      first half a, from rank−1
 *          b1: 1+0      b2: 2+1      b3: 3+2      b0: 0+3      second half b, from rank+1
 * round 1  a2, b2       a3, b3       a0, b0       a1, b1
 * round 2  a1, b3       a2, b0       a3, b1       a0, b2
 * rounds 3 to 5  the same way around again, as copies
 * </pre>
 *
 * <ul>
 *   <li>Source: the ring of Patarasuk and Yuan (JPDC 69, 2009), run in both directions, as is usual
 *       on tori.
 *   <li>Rounds: 2(n−1).
 *   <li>Wire for m bytes: every rank receives 2(n−1)/n·m, half of it from each neighbour.
 *   <li>Add depth: n−1. Chunk c of the first half is {@code ((x[c]+x[c+1])+…)+x[c−1]}, of the
 *       second half {@code ((x[c]+x[c−1])+…)+x[c+1]}.
 *   <li>Wins: long vectors on full-duplex links between neighbours.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class BidirectionalRing extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "bidirectional-ring";
  }

  @Override
  public String summary() {
    return "two rings at once, half of the vector each way; full-duplex neighbours";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    ChunkMap halves = new ChunkMap(whole, 2, granule);
    RingPass up = RingPass.upwards(ranks, halves.chunk(0), granule);
    RingPass down = RingPass.downwards(ranks, halves.chunk(1), granule);
    return new LazyRounds(RingPass.roundCount(ranks), i -> Ring.round(ranks, i, up, down));
  }
}
