package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** A vector loop over two runs into a third. */
final class PairLoop {
  private static final MethodType TYPE =
      MethodType.methodType(
          void.class,
          byte[].class,
          int.class,
          byte[].class,
          int.class,
          byte[].class,
          int.class,
          int.class);

  // An instance field on purpose: see OutOfLine.
  private final MethodHandle loop;

  /**
   * @param lookup of the class with the loop
   * @param name of the loop: {@code (a, aAt, b, bAt, destination, at, bytes)}, with whole vectors
   */
  PairLoop(MethodHandles.Lookup lookup, String name) {
    loop = OutOfLine.find(lookup, name, TYPE);
  }

  void run(byte[] a, int aAt, byte[] b, int bAt, byte[] destination, int at, int bytes) {
    try {
      loop.invokeExact(a, aAt, b, bAt, destination, at, bytes);
    } catch (Throwable e) {
      throw OutOfLine.unexpected(e);
    }
  }
}
