package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.allreducelab.backends.cpu.ConvertLoop;

/** Loops between f32 and bf16. */
final class Bf16Conversions {
  private static final int CANONICAL_NAN = 0x7fc0;

  private Bf16Conversions() {}

  static ConvertLoop widening(ConvertLoop tail) {
    return new VectorConversion(MethodHandles.lookup(), "widen", 2, 4, tail);
  }

  static ConvertLoop rounding(ConvertLoop tail) {
    return new VectorConversion(MethodHandles.lookup(), "round", 4, 2, tail);
  }

  static ConvertLoop truncating(ConvertLoop tail) {
    return new VectorConversion(MethodHandles.lookup(), "truncate", 4, 2, tail);
  }

  private static void widen(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i += Lanes.LANES) {
      IntVector v = Lanes.load16(source, from + 2 * i);
      Lanes.store(Lanes.even(v), destination, to + 4 * i);
    }
  }

  private static void round(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i += Lanes.LANES) {
      IntVector v = Lanes.load(source, from + 4 * i);
      Lanes.store16(narrowed(v, Lanes.rounded(v)), destination, to + 2 * i);
    }
  }

  private static void truncate(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i += Lanes.LANES) {
      IntVector v = Lanes.load(source, from + 4 * i);
      Lanes.store16(narrowed(v, v), destination, to + 2 * i);
    }
  }

  /** The upper halves of {@code bits}, or the canonical NaN where {@code value} is a NaN. */
  private static IntVector narrowed(IntVector value, IntVector bits) {
    IntVector upper = bits.lanewise(VectorOperators.LSHR, 16);
    return Lanes.select(Lanes.nan(value), CANONICAL_NAN, upper);
  }
}
