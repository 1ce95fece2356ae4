package org.allreducelab.algorithms.numerics;

/**
 * IEEE 754 binary16 by integer arithmetic (Java 17 has no conversion of its own).
 *
 * <p>As with {@link BFloat16}, the f32 sum rounded to binary16 is the correctly rounded sum: 24 ≥
 * 2·11 + 2, and subnormal sums are exact.
 */
public final class Binary16 {
  /** The bits of every NaN result. */
  public static final int CANONICAL_NAN = 0x7e00;

  private static final int INFINITY = 0x7c00;
  private static final int LARGEST = 0x7bff;

  /** f32 bits of 2^-14, the smallest normal binary16. */
  private static final int F32_SMALLEST_NORMAL = 0x38800000;

  /** f32 bits of 2^16, the first power of two beyond binary16. */
  private static final int F32_BEYOND = 0x47800000;

  private static final int F32_INFINITY = 0x7f800000;

  /** The difference of the exponent biases, 127 - 15, in f32 exponent position. */
  private static final int REBIAS = 112 << 23;

  private Binary16() {}

  /** The f32 bits of a binary16 value; exact, a NaN keeps its payload and sign. */
  public static int widen(int bits) {
    int sign = (bits & 0x8000) << 16;
    int magnitude = bits & 0x7fff;
    if (magnitude >= INFINITY) {
      return sign | F32_INFINITY | ((magnitude & 0x3ff) << 13);
    }
    if (magnitude >= 0x400) {
      return sign | ((magnitude << 13) + REBIAS);
    }
    if (magnitude == 0) {
      return sign;
    }
    int shift = Integer.numberOfLeadingZeros(magnitude) - 21;
    return sign | ((113 - shift) << 23) | (((magnitude << shift) & 0x3ff) << 13);
  }

  /** The f32 value of a binary16 value; exact but for NaN payloads. */
  public static float toFloat(int bits) {
    return Float.intBitsToFloat(widen(bits));
  }

  /** Inverse of {@link #widen} for every pattern: NaNs keep payload and sign. */
  public static int pack(int f32Bits) {
    if (Binary32.isNan(f32Bits)) {
      return ((f32Bits >>> 16) & 0x8000) | INFINITY | ((f32Bits >>> 13) & 0x3ff);
    }
    return truncate(f32Bits);
  }

  /** Rounds f32 bits to nearest, ties to even; magnitudes from 65520 on become infinite. */
  public static int narrow(int f32Bits) {
    int magnitude = f32Bits & 0x7fffffff;
    if (magnitude > F32_INFINITY) {
      return CANONICAL_NAN;
    }
    int sign = (f32Bits >>> 16) & 0x8000;
    if (magnitude >= F32_BEYOND) {
      return sign | INFINITY;
    }
    if (magnitude < F32_SMALLEST_NORMAL) {
      return sign | roundToEven(significand(magnitude), subnormalShift(magnitude));
    }
    return sign | roundToEven(magnitude - REBIAS, 13);
  }

  /** Rounds f32 bits toward zero: finite values stay finite. */
  public static int truncate(int f32Bits) {
    int magnitude = f32Bits & 0x7fffffff;
    if (magnitude > F32_INFINITY) {
      return CANONICAL_NAN;
    }
    int sign = (f32Bits >>> 16) & 0x8000;
    if (magnitude >= F32_BEYOND) {
      return sign | (magnitude == F32_INFINITY ? INFINITY : LARGEST);
    }
    if (magnitude < F32_SMALLEST_NORMAL) {
      return sign | (significand(magnitude) >>> subnormalShift(magnitude));
    }
    return sign | ((magnitude - REBIAS) >>> 13);
  }

  /** The correctly rounded sum of two binary16 values. */
  public static int add(int a, int b) {
    return narrow(Float.floatToRawIntBits(toFloat(a) + toFloat(b)));
  }

  /** The significand with its hidden bit. An f32 subnormal gets one too: it is shifted out. */
  private static int significand(int magnitude) {
    return (magnitude & 0x7fffff) | 0x800000;
  }

  /** How far to shift so that the unit becomes 2^-24; 26 and more leave nothing to round. */
  private static int subnormalShift(int magnitude) {
    return Math.min(126 - (magnitude >>> 23), 26);
  }

  private static int roundToEven(int value, int shift) {
    int half = 1 << (shift - 1);
    return (value + half - 1 + ((value >>> shift) & 1)) >>> shift;
  }
}
