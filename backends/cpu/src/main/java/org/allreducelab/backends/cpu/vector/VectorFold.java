package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.allreducelab.backends.cpu.FoldLoop;

/**
 * A fold that does full vectors by a vector loop and the rest by a scalar one.
 *
 * <p>Most folds have two operands: they get a loop of their own.
 */
final class VectorFold implements FoldLoop {
  private static final MethodType TWO =
      MethodType.methodType(
          void.class,
          byte[].class,
          int.class,
          byte[].class,
          int.class,
          byte[].class,
          int.class,
          int.class,
          int.class);
  private static final MethodType SEVERAL =
      MethodType.methodType(
          void.class, byte[][].class, int[].class, byte[].class, int.class, int.class, int.class);

  // Instance fields on purpose: see OutOfLine.
  private final MethodHandle two;
  private final MethodHandle several;
  private final int elementBytes;
  private final FoldLoop tail;

  /**
   * @param lookup of the class with the loops
   * @param two name of the loop for two operands: {@code (a, aAt, b, bAt, destination, offset,
   *     start, end)}, positions in bytes
   * @param several name of the loop for more: {@code (sources, offsets, destination, offset, start,
   *     end)}
   * @param elementBytes size of an element
   * @param tail the scalar loop
   */
  VectorFold(
      MethodHandles.Lookup lookup, String two, String several, int elementBytes, FoldLoop tail) {
    this.two = OutOfLine.find(lookup, two, TWO);
    this.several = OutOfLine.find(lookup, several, SEVERAL);
    this.elementBytes = elementBytes;
    this.tail = tail;
  }

  @Override
  public void fold(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    int start = elementBytes * from;
    int whole = elementBytes * (to - from) / Lanes.STEP * Lanes.STEP;
    int end = start + whole;
    if (whole > 0) {
      vectors(sources, offsets, destination, offset, start, end);
    }
    int next = end / elementBytes;
    if (next < to) {
      tail.fold(sources, offsets, destination, offset, next, to);
    }
  }

  private void vectors(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int start, int end) {
    try {
      if (sources.length == 2) {
        two.invokeExact(
            sources[0], offsets[0], sources[1], offsets[1], destination, offset, start, end);
      } else {
        several.invokeExact(sources, offsets, destination, offset, start, end);
      }
    } catch (Throwable e) {
      throw OutOfLine.unexpected(e);
    }
  }
}
