package org.allreducelab.algorithms.numerics;

/** A floating-point type of vector elements; stored little-endian. */
public enum ElementType {
  /** bfloat16: 1 sign, 8 exponent, 7 stored significand bits; unit round-off 2^-8. */
  BF16("bf16", 2, 8),
  /** IEEE 754 binary16; unit round-off 2^-11. */
  F16("f16", 2, 11),
  /** IEEE 754 binary32; unit round-off 2^-24. */
  F32("f32", 4, 24);

  private final String label;
  private final int bytes;
  private final int significandBits;

  ElementType(String label, int bytes, int significandBits) {
    this.label = label;
    this.bytes = bytes;
    this.significandBits = significandBits;
  }

  /** The name users type: {@code bf16}, {@code f16}, {@code f32}. */
  public String label() {
    return label;
  }

  /** Size of one element in bytes. */
  public int bytes() {
    return bytes;
  }

  /** u, the largest relative error of one rounding to nearest: 2^-p with p significand bits. */
  public double unitRoundoff() {
    return Math.scalb(1.0, -significandBits);
  }
}
