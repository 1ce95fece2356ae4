package org.allreducelab.algorithms.numerics;

/**
 * bfloat16 by integer arithmetic: the upper half of an f32, with the same exponent range.
 *
 * <p>The f32 sum of two bf16 values, rounded to bf16, equals the correctly rounded bf16 sum for all
 * 2^32 operand pairs: f32 has 24 significand bits, and rounding twice is harmless from 2·8 + 2 on;
 * where the sum is subnormal it is exact. A test checks every pair.
 */
public final class BFloat16 {
  /** The bits of every NaN result. */
  public static final int CANONICAL_NAN = 0x7fc0;

  private BFloat16() {}

  /** The f32 bits of a bf16 value; exact. */
  public static int widen(int bits) {
    return bits << 16;
  }

  /** The f32 value of a bf16 value; exact but for NaN payloads. */
  public static float toFloat(int bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /**
   * Rounds f32 bits to nearest, ties to even; values from 2^128 - 2^119 on become infinite. The
   * integer trick carries some NaNs into Inf or zero, hence the guard.
   */
  public static int narrow(int f32Bits) {
    if (Binary32.isNan(f32Bits)) {
      return CANONICAL_NAN;
    }
    return (f32Bits + 0x7fff + ((f32Bits >>> 16) & 1)) >>> 16;
  }

  /** Rounds f32 bits toward zero: finite values stay finite. */
  public static int truncate(int f32Bits) {
    return Binary32.isNan(f32Bits) ? CANONICAL_NAN : f32Bits >>> 16;
  }

  /** The correctly rounded sum of two bf16 values. */
  public static int add(int a, int b) {
    return narrow(Float.floatToRawIntBits(toFloat(a) + toFloat(b)));
  }
}
