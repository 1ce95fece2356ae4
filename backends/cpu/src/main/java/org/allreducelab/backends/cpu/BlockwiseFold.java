package org.allreducelab.backends.cpu;

import org.jspecify.annotations.Nullable;

/**
 * A fold with conversions or a second destination, done in blocks that stay in the first-level
 * cache: operands are brought to the element type, folded, and the result is passed on.
 */
final class BlockwiseFold implements Task {
  private final Operand[] operands;
  private final byte[][] sources;
  private final int[] offsets;
  private final ArrayRun destination;
  private final @Nullable ArrayRun publish;
  private final @Nullable ConvertLoop narrow;
  private final int length;
  private final int block;
  private final FoldLoop loop;

  /**
   * @param operands in fold order
   * @param destination where results go, in the element type
   * @param publish where they go too, or null
   * @param narrow the conversion for {@code publish}, or null if it needs none
   * @param length number of elements
   * @param block elements per block
   * @param loop the fold of two or more operands
   */
  BlockwiseFold(
      Operand[] operands,
      ArrayRun destination,
      @Nullable ArrayRun publish,
      @Nullable ConvertLoop narrow,
      int length,
      int block,
      FoldLoop loop) {
    this.operands = operands;
    this.destination = destination;
    this.publish = publish;
    this.narrow = narrow;
    this.length = length;
    this.block = block;
    this.loop = loop;
    sources = new byte[operands.length][];
    for (int k = 0; k < sources.length; k++) {
      sources[k] = operands[k].array;
    }
    offsets = new int[operands.length];
  }

  @Override
  public void run() {
    for (int from = 0; from < length; from += block) {
      int size = Math.min(block, length - from);
      for (int k = 0; k < operands.length; k++) {
        Operand operand = operands[k];
        operand.load(from, size);
        offsets[k] = operand.offset;
      }
      fold(from, size);
      if (publish != null) {
        publish(publish, from, size);
      }
    }
  }

  private void fold(int from, int size) {
    int at = destination.at(from);
    if (operands.length == 1) {
      int bytes = size * destination.type.bytes();
      System.arraycopy(sources[0], offsets[0], destination.array, at, bytes);
    } else {
      loop.fold(sources, offsets, destination.array, at, 0, size);
    }
  }

  private void publish(ArrayRun to, int from, int size) {
    int at = destination.at(from);
    if (narrow == null) {
      int bytes = size * destination.type.bytes();
      System.arraycopy(destination.array, at, to.array, to.at(from), bytes);
    } else {
      narrow.convert(destination.array, at, to.array, to.at(from), size);
    }
  }
}
