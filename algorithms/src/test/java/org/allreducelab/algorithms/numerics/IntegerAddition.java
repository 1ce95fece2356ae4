package org.allreducelab.algorithms.numerics;

/**
 * The correctly rounded bf16 sum by integer arithmetic alone, quick enough for all 2^32 pairs. What
 * is shifted out is remembered as one sticky bit.
 */
final class IntegerAddition {
  /** Room below the larger significand; a smaller value beyond it only decides ties. */
  private static final int GUARD = 40;

  private IntegerAddition() {}

  static int bf16(int a, int b) {
    int high = (a & 0x7fff) >= (b & 0x7fff) ? a : b;
    int low = high == a ? b : a;
    int highMagnitude = high & 0x7fff;
    if (highMagnitude >= 0x7f80) {
      return special(high, low);
    }
    if (highMagnitude == 0) {
      return high & low;
    }
    int exponent = exponent(high);
    int drop = exponent - exponent(low);
    long aligned = drop <= GUARD ? significand(low) << (GUARD - drop) : sticky(low);
    boolean same = ((high ^ low) & 0x8000) == 0;
    long sum = (significand(high) << GUARD) + (same ? aligned : -aligned);
    return sum == 0 ? 0 : (high & 0x8000) | round(sum, exponent);
  }

  /** Rounds sum · 2^(exponent - GUARD), in units of the smallest subnormal, to 8 bits. */
  private static int round(long sum, int exponent) {
    int topBit = 63 - Long.numberOfLeadingZeros(sum);
    int shift = Math.max(topBit - 7, GUARD - exponent);
    long half = 1L << (shift - 1);
    long significand = sum >>> shift;
    long rest = sum & (2 * half - 1);
    if (rest > half || (rest == half && (significand & 1) == 1)) {
      significand++;
    }
    int pattern = ((exponent - GUARD + shift) << 7) + (int) significand;
    return Math.min(pattern, 0x7f80);
  }

  private static int special(int high, int low) {
    boolean nan = (high & 0x7fff) > 0x7f80 || ((low & 0x7fff) == 0x7f80 && high != low);
    return nan ? 0x7fc0 : high;
  }

  /** Of the unit, counted from the smallest subnormal. */
  private static int exponent(int bits) {
    return Math.max((bits >>> 7) & 0xff, 1) - 1;
  }

  private static long significand(int bits) {
    return (bits & 0x7f) + (((bits >>> 7) & 0xff) == 0 ? 0L : 0x80L);
  }

  private static long sticky(int bits) {
    return significand(bits) == 0 ? 0 : 1;
  }
}
