package org.allreducelab.algorithms.numerics;

import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** All f32 patterns, and their rounding to a narrower type by double arithmetic. */
final class Floats {
  private Floats() {}

  /** Visits all 2^32 patterns on all cores. */
  static void forAll(IntConsumer check) {
    IntStream.range(0, 1 << 16).parallel().forEach(high -> forLowHalf(high << 16, check));
  }

  private static void forLowHalf(int high, IntConsumer check) {
    for (int low = 0; low < 1 << 16; low++) {
      check.accept(high | low);
    }
  }

  /** Rounds by a multiple of the value's unit, which doubles hold exactly. */
  static int round(ElementType type, int f32Bits, Narrowing narrowing) {
    double value = Float.intBitsToFloat(f32Bits);
    if (Double.isNaN(value)) {
      return type.canonicalNanBits();
    }
    int sign = f32Bits < 0 ? type.signBit() : 0;
    double magnitude = Math.abs(value);
    if (Double.isInfinite(magnitude)) {
      return sign | type.infinityBits();
    }
    int fractionBits = type.significandBits() - 1;
    int unit = Math.max(exponent(magnitude) - fractionBits, type.smallestExponent());
    double scaled = magnitude * Math.scalb(1.0, -unit);
    long significand = (long) (narrowing == Narrowing.RNE ? Math.rint(scaled) : Math.floor(scaled));
    long pattern = ((long) (unit - type.smallestExponent()) << fractionBits) + significand;
    int largest = type.infinityBits() - (narrowing == Narrowing.RNE ? 0 : 1);
    return sign | (int) Math.min(pattern, largest);
  }

  private static int exponent(double magnitude) {
    return magnitude == 0 ? -1023 : Math.getExponent(magnitude);
  }
}
