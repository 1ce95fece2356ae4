package org.allreducelab.algorithms.data;

import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

final class Integers {
  /** A bf16 significand holds eight powers of two. */
  private static final int GROUP = 8;

  private Integers() {}

  static int bits(ElementType type, Place place) {
    long random = place.sharedRandom();
    int groups = (place.ranks() + GROUP - 1) / GROUP;
    int active = (int) Long.remainderUnsigned(random >>> 8, groups);
    if (place.rank() / GROUP != active) {
      return 0;
    }
    // 255 · 2^7 is within binary16.
    int scale = (int) (random & 15) - 8;
    float value = Math.scalb(1f, place.rank() % GROUP + scale);
    return type.narrow(Float.floatToRawIntBits(value), Narrowing.RNE);
  }
}
