package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.Span;

/**
 * One pass of chunks around the ring of all ranks, in either direction: a reduce-scatter of n−1
 * rounds, then an all-gather of n−1.
 *
 * <p>Going up, each rank reads from the rank below it, and chunk c is folded on ranks c, c+1, …
 * c−1, its owner. Going down is the mirror image: chunk c is folded on ranks c, c−1, … c+1.
 */
final class RingPass {
  private final int ranks;
  private final int direction;
  private final ChunkMap chunks;

  private RingPass(int ranks, int direction, Span part, int granule) {
    this.ranks = ranks;
    this.direction = direction;
    this.chunks = new ChunkMap(part, ranks, granule);
  }

  /** Partial sums travel to the next higher rank. */
  static RingPass upwards(int ranks, Span part, int granule) {
    return new RingPass(ranks, 1, part, granule);
  }

  /** Partial sums travel to the next lower rank. */
  static RingPass downwards(int ranks, Span part, int granule) {
    return new RingPass(ranks, -1, part, granule);
  }

  static int roundCount(int ranks) {
    return 2 * (ranks - 1);
  }

  /** Adds what {@code rank} does in {@code round} of this pass. */
  void addTo(RoundBuilder builder, int rank, int round) {
    int source = wrap(rank - direction);
    int firstGather = ranks - 1;
    if (round < firstGather) {
      builder.combine(rank, chunkBehind(rank, round + 1), source, rank);
      return;
    }
    if (round == firstGather) {
      builder.combine(rank, chunkBehind(rank, -1), rank);
    }
    builder.combine(rank, chunkBehind(rank, round - firstGather), source);
  }

  private Span chunkBehind(int rank, int steps) {
    return chunks.chunk(wrap(rank - direction * steps));
  }

  private int wrap(int rank) {
    return Math.floorMod(rank, ranks);
  }
}
