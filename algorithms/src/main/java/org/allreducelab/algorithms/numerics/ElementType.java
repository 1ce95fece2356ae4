package org.allreducelab.algorithms.numerics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A floating-point type of vector elements; stored little-endian.
 *
 * <p>An element's <em>bits</em> are its pattern in the low bits of an int (two-byte types: zero
 * extended). Every value of every type is also an f32 value, so arithmetic works on f32 patterns:
 * {@link #widen} leads there, {@link #narrow} leads back with rounding, {@link #pack} without.
 */
public enum ElementType {
  /** bfloat16: 1 sign, 8 exponent, 7 stored significand bits; unit round-off 2^-8. */
  BF16("bf16", 2, 8),
  /** IEEE 754 binary16; unit round-off 2^-11. */
  F16("f16", 2, 11),
  /** IEEE 754 binary32; unit round-off 2^-24. */
  F32("f32", 4, 24);

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

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

  /** p, the significand's bits with the hidden one: 8, 11, 24. */
  public int significandBits() {
    return significandBits;
  }

  /** u, the largest relative error of one rounding to nearest: 2^-p with p significand bits. */
  public double unitRoundoff() {
    return Math.scalb(1.0, -significandBits);
  }

  /** Exponent of the smallest positive subnormal: -133, -24, -149. */
  public int smallestExponent() {
    int exponentBits = 8 * bytes - significandBits;
    return 3 - (1 << (exponentBits - 1)) - significandBits;
  }

  /** The sign bit: 0x8000 or 0x80000000. */
  public int signBit() {
    return 1 << (8 * bytes - 1);
  }

  /** The bits of +Inf; every smaller pattern is finite, every larger one without sign is a NaN. */
  public int infinityBits() {
    return (signBit() - 1) & -(1 << (significandBits - 1));
  }

  /** The bits every NaN result has: 0x7FC0, 0x7E00, 0x7FC00000. */
  public int canonicalNanBits() {
    return infinityBits() | (1 << (significandBits - 2));
  }

  /** The largest finite value. */
  public float maxValue() {
    return Float.intBitsToFloat(widen(infinityBits() - 1));
  }

  /** Whether the bits are a NaN's. */
  public boolean isNan(int bits) {
    return (bits & (signBit() - 1)) > infinityBits();
  }

  /** The f32 bits of the same value; exact, a NaN keeps its payload and sign. */
  public int widen(int bits) {
    return switch (this) {
      case BF16 -> BFloat16.widen(bits);
      case F16 -> Binary16.widen(bits);
      case F32 -> bits;
    };
  }

  /** The inverse of {@link #widen}: for f32 bits that are a value of this type, payloads kept. */
  public int pack(int f32Bits) {
    return switch (this) {
      case BF16 -> f32Bits >>> 16;
      case F16 -> Binary16.pack(f32Bits);
      case F32 -> f32Bits;
    };
  }

  /** Rounds f32 bits to this type; a NaN becomes the canonical one. */
  public int narrow(int f32Bits, Narrowing narrowing) {
    boolean nearest = narrowing == Narrowing.RNE;
    return switch (this) {
      case BF16 -> nearest ? BFloat16.narrow(f32Bits) : BFloat16.truncate(f32Bits);
      case F16 -> nearest ? Binary16.narrow(f32Bits) : Binary16.truncate(f32Bits);
      case F32 -> Binary32.canonical(f32Bits);
    };
  }

  /** The correctly rounded sum of two elements; a NaN becomes the canonical one. */
  public int add(int a, int b) {
    return narrow(Binary32.add(widen(a), widen(b)), Narrowing.RNE);
  }

  /** The bits of one element of a vector. */
  public int get(byte[] vector, int element) {
    int at = element * bytes;
    return bytes == 2 ? (short) SHORTS.get(vector, at) & 0xffff : (int) INTS.get(vector, at);
  }

  /** Writes the bits of one element of a vector. */
  public void put(byte[] vector, int element, int bits) {
    int at = element * bytes;
    if (bytes == 2) {
      SHORTS.set(vector, at, (short) bits);
    } else {
      INTS.set(vector, at, bits);
    }
  }
}
