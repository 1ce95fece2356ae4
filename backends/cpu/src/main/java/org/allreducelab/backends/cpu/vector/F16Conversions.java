package org.allreducelab.backends.cpu.vector;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.allreducelab.backends.cpu.ConvertLoop;

/**
 * f32 to binary16 and back; elements beyond the last full vector go to the scalar loop.
 *
 * <p>Widening: the binary16 exponent and significand, moved to their f32 places and multiplied by
 * 2^112, the difference of the exponent biases. Exact for subnormals too.
 *
 * <p>Narrowing, nearest even: normal results round by integer arithmetic at bit 13. Subnormal
 * results are multiples of 2^-24, the unit of 0.5 in f32: so adding 0.5 rounds them.
 */
final class F16Conversions {
  private static final int CANONICAL_NAN = 0x7e00;
  private static final int INFINITY = 0x7c00;
  private static final int F32_SMALLEST_NORMAL = 0x38800000;
  private static final int F32_BEYOND = 0x47800000;
  private static final int REBIAS = 112 << 23;
  private static final float REBIAS_FACTOR = 0x1p112f;

  private F16Conversions() {}

  static ConvertLoop widen(ConvertLoop tail) {
    return (source, from, destination, to, length) -> {
      int i = 0;
      for (; i <= length - Lanes.LANES; i += Lanes.LANES) {
        IntVector v = Lanes.load16(source, from + 2 * i);
        Lanes.store(widened(v), destination, to + 4 * i);
      }
      tail.convert(source, from + 2 * i, destination, to + 4 * i, length - i);
    };
  }

  static ConvertLoop nearest(ConvertLoop tail) {
    return (source, from, destination, to, length) -> {
      int i = 0;
      for (; i <= length - Lanes.LANES; i += Lanes.LANES) {
        IntVector v = Lanes.load(source, from + 4 * i);
        Lanes.store16(narrowed(v), destination, to + 2 * i);
      }
      tail.convert(source, from + 4 * i, destination, to + 2 * i, length - i);
    };
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
    IntVector magnitude = f32.and(0x7fffffff);
    IntVector normal =
        magnitude
            .lanewise(VectorOperators.LSHR, 13)
            .and(1)
            .add(magnitude)
            .add(0xfff - REBIAS)
            .lanewise(VectorOperators.LSHR, 13);
    IntVector subnormal =
        magnitude
            .reinterpretAsFloats()
            .add(0.5f)
            .reinterpretAsInts()
            .sub(Float.floatToRawIntBits(0.5f));
    IntVector isNormal = atLeast(magnitude, F32_SMALLEST_NORMAL);
    IntVector value =
        subnormal.lanewise(VectorOperators.AND_NOT, isNormal).or(normal.and(isNormal));
    IntVector bounded = Lanes.select(atLeast(magnitude, F32_BEYOND), INFINITY, value);
    IntVector signed = bounded.or(f32.lanewise(VectorOperators.LSHR, 16).and(0x8000));
    return Lanes.select(Lanes.nan(f32), CANONICAL_NAN, signed);
  }

  /** All ones where {@code v >= limit}, else zero; both not negative. */
  private static IntVector atLeast(IntVector v, int limit) {
    return v.sub(limit).lanewise(VectorOperators.ASHR, 31).not();
  }
}
