package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.allreducelab.backends.cpu.ConvertLoop;

/**
 * Loops between f32 and binary16.
 *
 * <p>Widening: the binary16 exponent and significand, moved to their f32 places and multiplied by
 * 2^112, the difference of the exponent biases. Exact for subnormals too.
 *
 * <p>Narrowing, nearest even: adding 2^(e+13) to a magnitude of exponent e leaves 11 bits, that is
 * rounds to binary16; for subnormal results e is that of the smallest normal one. What remains is
 * multiplied by 2^-112, again exactly, and moved back.
 */
final class F16Conversions {
  private static final int CANONICAL_NAN = 0x7e00;
  private static final int INFINITY = 0x7c00;

  /** f32 bits of 2^-14, the smallest normal binary16. */
  private static final int F32_SMALLEST_NORMAL = 0x38800000;

  /** f32 bits of 2^16: this and everything larger narrows to Inf. */
  private static final int F32_BEYOND = 0x47800000;

  private static final float REBIAS_FACTOR = 0x1p112f;

  private F16Conversions() {}

  static ConvertLoop widening(ConvertLoop tail) {
    return new VectorConversion(MethodHandles.lookup(), "widen", 2, 4, tail);
  }

  static ConvertLoop rounding(ConvertLoop tail) {
    return new VectorConversion(MethodHandles.lookup(), "round", 4, 2, tail);
  }

  private static void widen(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i += Lanes.LANES) {
      Lanes.store(widened(Lanes.load16(source, from + 2 * i)), destination, to + 4 * i);
    }
  }

  private static void round(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i += Lanes.LANES) {
      Lanes.store16(narrowed(Lanes.load(source, from + 4 * i)), destination, to + 2 * i);
    }
  }

  private static IntVector widened(IntVector f16) {
    IntVector magnitude = f16.and(0x7fff);
    IntVector bits = magnitude.lanewise(VectorOperators.LSHL, 13);
    IntVector finite = bits.reinterpretAsFloats().mul(REBIAS_FACTOR).reinterpretAsInts();
    // Inf and NaN: all exponent bits set, the significand kept.
    IntVector special = atLeast(magnitude, INFINITY);
    IntVector value =
        finite.lanewise(VectorOperators.AND_NOT, special).or(bits.or(0x7f800000).and(special));
    return value.or(f16.and(0x8000).lanewise(VectorOperators.LSHL, 16));
  }

  private static IntVector narrowed(IntVector f32) {
    IntVector magnitude = f32.and(0x7fffffff).min(F32_BEYOND);
    FloatVector shifter =
        magnitude.and(0x7f800000).max(F32_SMALLEST_NORMAL).add(13 << 23).reinterpretAsFloats();
    FloatVector rounded = magnitude.reinterpretAsFloats().add(shifter).sub(shifter);
    IntVector f16 =
        rounded
            .mul(1 / REBIAS_FACTOR)
            .reinterpretAsInts()
            .lanewise(VectorOperators.LSHR, 13)
            .or(f32.lanewise(VectorOperators.LSHR, 16).and(0x8000));
    return Lanes.select(Lanes.nan(f32), CANONICAL_NAN, f16);
  }

  /** All ones where {@code v >= limit}, else zero; both not negative. */
  private static IntVector atLeast(IntVector v, int limit) {
    return v.sub(limit).lanewise(VectorOperators.ASHR, 31).not();
  }
}
