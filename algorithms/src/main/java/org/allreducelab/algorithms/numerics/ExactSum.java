package org.allreducelab.algorithms.numerics;

import java.util.Arrays;

/**
 * The exact sum of f32, bf16 or binary16 values, rounded only when asked for: the yardstick of
 * error bounds.
 *
 * <p>A 320-bit two's complement integer in units of 2^-149, the smallest f32. An f32 needs 277
 * bits, so 2^41 terms fit. Not thread-safe.
 *
 * <p>Infinities and NaNs are kept apart: a NaN, or infinities of both signs, make the sum NaN;
 * otherwise an infinity wins over every finite sum. A sum of zero is +0 unless every term was -0;
 * no terms at all give -0, the neutral element.
 */
public final class ExactSum {
  private static final int WORDS = 5;
  private static final int UNIT_EXPONENT = -149;

  private final long[] words = new long[WORDS];
  private boolean nan;
  private boolean positiveInfinity;
  private boolean negativeInfinity;
  private boolean onlyNegativeZeros = true;

  /** Adds a value of the type. */
  public void add(ElementType type, int bits) {
    addF32(type.widen(bits));
  }

  /** Adds the magnitude of a value of the type. */
  public void addMagnitude(ElementType type, int bits) {
    addF32(type.widen(bits) & 0x7fffffff);
  }

  /** Back to no terms. */
  public void clear() {
    Arrays.fill(words, 0);
    nan = false;
    positiveInfinity = false;
    negativeInfinity = false;
    onlyNegativeZeros = true;
  }

  /** Whether the sum is NaN. */
  public boolean isNan() {
    return nan || (positiveInfinity && negativeInfinity);
  }

  /** Whether the sum is neither infinite nor NaN. */
  public boolean isFinite() {
    return !nan && !positiveInfinity && !negativeInfinity;
  }

  /**
   * The sum rounded once, to nearest, ties to even: the bits of the best possible result. Overflow
   * gives an infinity, NaN the canonical one.
   */
  public int roundTo(ElementType type) {
    if (isNan()) {
      return type.canonicalNanBits();
    }
    if (!isFinite()) {
      return type.infinityBits() | (negativeInfinity ? type.signBit() : 0);
    }
    boolean negative = words[WORDS - 1] < 0 || (isZero() && onlyNegativeZeros);
    return roundMagnitude(type) | (negative ? type.signBit() : 0);
  }

  /** |sum| as a double that is never too small; infinite or NaN as the sum is. */
  public double magnitude() {
    if (isNan()) {
      return Double.NaN;
    }
    return isFinite() ? roundUp(magnitudeOf(words)) : Double.POSITIVE_INFINITY;
  }

  /**
   * |value - sum| as a double that is never too small, for a finite value of the type.
   *
   * @throws IllegalStateException if the sum is not finite
   */
  public double distanceTo(ElementType type, int bits) {
    if (!isFinite()) {
      throw new IllegalStateException("an infinite or NaN sum has no distance to a value");
    }
    long[] difference = words.clone();
    accumulate(difference, type.widen(bits) ^ 0x80000000);
    return roundUp(magnitudeOf(difference));
  }

  private void addF32(int bits) {
    onlyNegativeZeros &= bits == 0x80000000;
    if (Binary32.isNan(bits)) {
      nan = true;
    } else if (bits == 0x7f800000) {
      positiveInfinity = true;
    } else if (bits == 0xff800000) {
      negativeInfinity = true;
    } else {
      accumulate(words, bits);
    }
  }

  private static void accumulate(long[] words, int f32Bits) {
    int exponent = (f32Bits >>> 23) & 0xff;
    long significand = (f32Bits & 0x7fffff) | (exponent == 0 ? 0 : 0x800000);
    int shift = Math.max(exponent, 1) - 1;
    int word = shift >>> 6;
    int bit = shift & 63;
    long low = significand << bit;
    long high = bit == 0 ? 0 : significand >>> (64 - bit);
    if (f32Bits >= 0) {
      addAt(words, word, low);
      addAt(words, word + 1, high);
    } else {
      subtractAt(words, word, low);
      subtractAt(words, word + 1, high);
    }
  }

  private static void addAt(long[] words, int from, long value) {
    long carry = value;
    for (int i = from; i < WORDS && carry != 0; i++) {
      words[i] += carry;
      carry = Long.compareUnsigned(words[i], carry) < 0 ? 1 : 0;
    }
  }

  private static void subtractAt(long[] words, int from, long value) {
    long borrow = value;
    for (int i = from; i < WORDS && borrow != 0; i++) {
      boolean under = Long.compareUnsigned(words[i], borrow) < 0;
      words[i] -= borrow;
      borrow = under ? 1 : 0;
    }
  }

  private boolean isZero() {
    return topBit(words) < 0;
  }

  /**
   * In units of the type's smallest subnormal, a significand shifted by s has the pattern (s <<
   * p-1) + significand, subnormals and the carry into the next binade included.
   */
  private int roundMagnitude(ElementType type) {
    long[] magnitude = magnitudeOf(words);
    int precision = type.significandBits();
    int smallest = type.smallestExponent() - UNIT_EXPONENT;
    int shift = Math.max(topBit(magnitude) - (precision - 1), smallest);
    long significand = bitsFrom(magnitude, shift);
    if (shift > 0 && roundsUp(magnitude, shift, significand)) {
      significand++;
    }
    long pattern = ((long) (shift - smallest) << (precision - 1)) + significand;
    return (int) Math.min(pattern, type.infinityBits());
  }

  private static boolean roundsUp(long[] magnitude, int shift, long significand) {
    boolean half = (bitsFrom(magnitude, shift - 1) & 1) != 0;
    return half && ((significand & 1) != 0 || anyBelow(magnitude, shift - 1));
  }

  private static double roundUp(long[] magnitude) {
    int shift = Math.max(topBit(magnitude) - 52, 0);
    long significand = bitsFrom(magnitude, shift) + (anyBelow(magnitude, shift) ? 1 : 0);
    return Math.scalb((double) significand, shift + UNIT_EXPONENT);
  }

  private static long[] magnitudeOf(long[] words) {
    long[] magnitude = words.clone();
    if (words[WORDS - 1] < 0) {
      for (int i = 0; i < WORDS; i++) {
        magnitude[i] = ~magnitude[i];
      }
      addAt(magnitude, 0, 1);
    }
    return magnitude;
  }

  /** Index of the highest set bit, -1 for zero. */
  private static int topBit(long[] magnitude) {
    for (int i = WORDS - 1; i >= 0; i--) {
      if (magnitude[i] != 0) {
        return 64 * i + 63 - Long.numberOfLeadingZeros(magnitude[i]);
      }
    }
    return -1;
  }

  /** The 64 bits from an index up. */
  private static long bitsFrom(long[] magnitude, int index) {
    int word = index >>> 6;
    int bit = index & 63;
    long low = magnitude[word] >>> bit;
    return bit == 0 || word + 1 == WORDS ? low : low | (magnitude[word + 1] << (64 - bit));
  }

  private static boolean anyBelow(long[] magnitude, int index) {
    int word = index >>> 6;
    for (int i = 0; i < word; i++) {
      if (magnitude[i] != 0) {
        return true;
      }
    }
    return (magnitude[word] & ((1L << (index & 63)) - 1)) != 0;
  }
}
