package org.allreducelab.backends.cpu;

/**
 * The inner loop of a fold: several runs of little-endian elements of one type, folded left to
 * right into another run of that type.
 *
 * @implSpec Every implementation of the same arithmetic gives the same bytes, for any byte offsets.
 *     The destination may be one of the sources; otherwise runs do not overlap. Allocates nothing.
 *     May have room for intermediate sums: for one thread at a time.
 */
public interface FoldLoop {
  /**
   * Folds elements {@code [from, to)}, counted from the offsets.
   *
   * @param sources arrays of the operands in fold order, as many as the loop is for
   * @param offsets where each operand's element 0 lies, in bytes
   * @param destination array of the results
   * @param offset where the results' element 0 goes, in bytes
   * @param from first element
   * @param to end of the elements, exclusive
   */
  void fold(byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to);
}
