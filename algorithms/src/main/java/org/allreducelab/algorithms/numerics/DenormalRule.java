package org.allreducelab.algorithms.numerics;

/**
 * What arithmetic does with subnormal values. Only {@link #PRESERVE} is right; the others are
 * models of what devices do, so that a start-up probe can tell which device it has before it.
 */
public enum DenormalRule {
  /** IEEE 754: subnormal operands and results count. */
  PRESERVE,
  /** f32 additions take subnormal operands as zero and give zero for a subnormal sum. */
  FLUSH_ARITHMETIC,
  /** Additions are right; the conversion from f32 gives zero for a subnormal result. */
  FLUSH_CONVERSION;

  /** The f32 sum of two f32 patterns under this rule. A flushed value keeps its sign. */
  public int add(int a, int b) {
    if (this != FLUSH_ARITHMETIC) {
      return Binary32.add(a, b);
    }
    return flushed(Binary32.add(flushed(a), flushed(b)));
  }

  /** Rounds f32 bits to bf16 under this rule. */
  public int narrowToBf16(int f32Bits) {
    int narrow = BFloat16.narrow(f32Bits);
    boolean subnormal = (narrow & 0x7f80) == 0;
    return this == FLUSH_CONVERSION && subnormal ? narrow & 0x8000 : narrow;
  }

  private static int flushed(int f32Bits) {
    return (f32Bits & 0x7f800000) == 0 ? f32Bits & 0x80000000 : f32Bits;
  }
}
