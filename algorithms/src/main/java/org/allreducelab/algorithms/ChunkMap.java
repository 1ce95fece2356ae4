package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.Span;

/**
 * The one rule by which all algorithms cut a span into chunks: every chunk has {@code
 * ceil(length/chunks)} elements rounded up to the granule, so trailing chunks may be short or empty
 * and every border inside the span is a multiple of the granule away from its start.
 */
final class ChunkMap {
  private final Span whole;
  private final long chunkLength;

  /**
   * @param whole the elements to cut
   * @param chunks number of chunks, ≥ 1
   * @param granule chunk lengths are multiples of this, ≥ 1
   */
  ChunkMap(Span whole, int chunks, int granule) {
    this.whole = whole;
    long even = ((long) whole.length() + chunks - 1) / chunks;
    this.chunkLength = (even + granule - 1) / granule * granule;
  }

  /** The chunk at an index; empty when the elements ran out before it. */
  Span chunk(int index) {
    return range(index, index + 1);
  }

  /** The elements of chunks {@code from} (inclusive) to {@code to} (exclusive). */
  Span range(int from, int to) {
    return Span.between(border(from), border(to));
  }

  /** In long arithmetic: rounding up may pass the end of the span and of an int. */
  private int border(int chunk) {
    return whole.offset() + (int) Math.min(whole.length(), chunk * chunkLength);
  }
}
