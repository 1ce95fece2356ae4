package org.allreducelab.algorithms.numerics;

import java.math.BigDecimal;

/**
 * Correct rounding by definition, with BigDecimal: slow, and sharing no code with what it checks.
 */
final class ExactReference {
  private ExactReference() {}

  /** The value; for infinity what the next binade would start with, as rounding needs it. */
  static BigDecimal valueOf(ElementType type, int bits) {
    int fractionBits = type.significandBits() - 1;
    int magnitude = bits & (type.signBit() - 1);
    int exponentField = magnitude >>> fractionBits;
    long significand = magnitude & ((1L << fractionBits) - 1);
    if (exponentField > 0) {
      significand += 1L << fractionBits;
    }
    BigDecimal value =
        BigDecimal.valueOf(significand)
            .multiply(twoTo(type.smallestExponent() + Math.max(exponentField, 1) - 1));
    return (bits & type.signBit()) == 0 ? value : value.negate();
  }

  /** Bits of the nearest value, ties to even; the sign of a zero is positive. */
  static int round(ElementType type, BigDecimal value) {
    BigDecimal magnitude = value.abs();
    int low = 0;
    int high = type.infinityBits();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (valueOf(type, middle).compareTo(magnitude) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    int nearest = nearer(type, low, high, magnitude);
    return value.signum() < 0 ? nearest | type.signBit() : nearest;
  }

  private static int nearer(ElementType type, int low, int high, BigDecimal magnitude) {
    BigDecimal toLow = magnitude.subtract(valueOf(type, low));
    BigDecimal toHigh = valueOf(type, high).subtract(magnitude);
    int order = toLow.compareTo(toHigh);
    return order < 0 || (order == 0 && (low & 1) == 0) ? low : high;
  }

  private static BigDecimal twoTo(int exponent) {
    BigDecimal power = BigDecimal.valueOf(2).pow(Math.abs(exponent));
    return exponent >= 0 ? power : BigDecimal.ONE.divide(power);
  }
}
