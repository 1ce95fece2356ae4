package org.allreducelab.algorithms.data;

import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

/**
 * Random sign and significand; the exponent uniform over 64 binades around 1, for binary16 over all
 * 40 it has, subnormals included.
 */
final class WideRange {
  private WideRange() {}

  static int bits(ElementType type, Place place) {
    long random = place.random(0);
    int binade = (int) (random >>> 32);
    int exponent =
        type == ElementType.F16
            ? Integer.remainderUnsigned(binade, 40) - 24
            : Integer.remainderUnsigned(binade, 64) - 32;
    int sign = (int) random & 0x80000000;
    int f32Bits = sign | ((127 + exponent) << 23) | ((int) random & 0x7fffff);
    return type.narrow(f32Bits, Narrowing.TRUNCATE);
  }
}
