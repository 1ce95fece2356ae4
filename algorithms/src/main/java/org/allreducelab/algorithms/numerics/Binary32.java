package org.allreducelab.algorithms.numerics;

/**
 * f32 arithmetic on bit patterns under the NaN rule: every NaN result is 0x7FC00000.
 *
 * <p>Which payload the JVM gives a NaN sum differs between interpreted and compiled code and
 * between machines. So NaNs are recognised and replaced by integer arithmetic.
 */
public final class Binary32 {
  /** The bits of every NaN result. */
  public static final int CANONICAL_NAN = 0x7fc00000;

  private Binary32() {}

  /** Whether the bits are a NaN's, by an integer test that no fast-math option can remove. */
  public static boolean isNan(int bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
  }

  /** The bits themselves, or the canonical NaN for any NaN. */
  public static int canonical(int bits) {
    return isNan(bits) ? CANONICAL_NAN : bits;
  }

  /** The f32 sum. */
  public static int add(int a, int b) {
    return canonical(Float.floatToRawIntBits(Float.intBitsToFloat(a) + Float.intBitsToFloat(b)));
  }
}
