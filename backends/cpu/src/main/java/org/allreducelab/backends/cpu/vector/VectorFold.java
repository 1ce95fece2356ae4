package org.allreducelab.backends.cpu.vector;

import org.allreducelab.backends.cpu.FoldLoop;

/**
 * A fold that does full vectors by vector loops and the rest by a scalar one.
 *
 * <p>More than two operands are folded block by block, one after the other, with the accumulator in
 * the first-level cache. That is as fast as one loop over all of them (accumulators that are
 * carried through an inner loop become objects in C2), and each operand's memory is read in longer
 * pieces.
 */
final class VectorFold implements FoldLoop {
  /** Bytes of each operand per block. */
  private static final int BLOCK = 8192;

  private static final byte[] NONE = new byte[0];

  private final Chain chain;
  private final int elementBytes;
  private final FoldLoop tail;
  private final byte[] accumulator;

  /**
   * @param chain the loops
   * @param elementBytes size of an element
   * @param operands number of operands
   * @param tail the scalar loop
   */
  VectorFold(Chain chain, int elementBytes, int operands, FoldLoop tail) {
    this.chain = chain;
    this.elementBytes = elementBytes;
    this.tail = tail;
    accumulator = operands > 2 ? new byte[BLOCK * chain.accumulatorBytes()] : NONE;
  }

  @Override
  public void fold(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    int start = elementBytes * from;
    int end = start + elementBytes * (to - from) / Lanes.STEP * Lanes.STEP;
    if (sources.length > 2) {
      for (int at = start; at < end; at += BLOCK) {
        block(sources, offsets, destination, offset, at, Math.min(BLOCK, end - at));
      }
    } else if (start < end) {
      chain
          .pair()
          .run(
              sources[0],
              offsets[0] + start,
              sources[1],
              offsets[1] + start,
              destination,
              offset + start,
              end - start);
    }
    int next = end / elementBytes;
    if (next < to) {
      tail.fold(sources, offsets, destination, offset, next, to);
    }
  }

  private void block(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int at, int bytes) {
    byte[] sum = accumulator;
    chain.first().run(sources[0], offsets[0] + at, sources[1], offsets[1] + at, sum, 0, bytes);
    int last = sources.length - 1;
    for (int k = 2; k < last; k++) {
      chain.middle().run(sum, 0, sources[k], offsets[k] + at, sum, 0, bytes);
    }
    chain.last().run(sum, 0, sources[last], offsets[last] + at, destination, offset + at, bytes);
  }
}
