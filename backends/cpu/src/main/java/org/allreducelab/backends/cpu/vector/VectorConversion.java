package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.allreducelab.backends.cpu.ConvertLoop;

/** A conversion that does full vectors by a vector loop and the rest by a scalar one. */
final class VectorConversion implements ConvertLoop {
  private static final MethodType LOOP =
      MethodType.methodType(
          void.class, byte[].class, int.class, byte[].class, int.class, int.class);

  // An instance field on purpose: see OutOfLine.
  private final MethodHandle loop;
  private final int fromBytes;
  private final int toBytes;
  private final ConvertLoop tail;

  /**
   * @param lookup of the class with the loop
   * @param loop its name: {@code (source, from, destination, to, length)}, with a length of whole
   *     vectors
   * @param fromBytes size of an element that is read
   * @param toBytes size of an element that is written
   * @param tail the scalar loop
   */
  VectorConversion(
      MethodHandles.Lookup lookup, String loop, int fromBytes, int toBytes, ConvertLoop tail) {
    this.loop = OutOfLine.find(lookup, loop, LOOP);
    this.fromBytes = fromBytes;
    this.toBytes = toBytes;
    this.tail = tail;
  }

  @Override
  public void convert(
      byte[] source, int sourceOffset, byte[] destination, int destinationOffset, int length) {
    int whole = length / Lanes.LANES * Lanes.LANES;
    if (whole > 0) {
      try {
        loop.invokeExact(source, sourceOffset, destination, destinationOffset, whole);
      } catch (Throwable e) {
        throw OutOfLine.unexpected(e);
      }
    }
    if (whole < length) {
      int from = sourceOffset + fromBytes * whole;
      tail.convert(source, from, destination, destinationOffset + toBytes * whole, length - whole);
    }
  }
}
