package org.allreducelab.backends.cpu.vector;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vectors of elements in byte arrays, and their arithmetic on int lanes.
 *
 * <p>An int lane holds one f32, or a <em>pair</em> of bf16: the even element in its low half, the
 * odd one in its high half. Masks are made by arithmetic, not by compare: JDK 17 keeps vector masks
 * in vector registers and is slow with them.
 */
final class Lanes {
  static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

  /** As many 16-bit lanes as {@link #INTS} has lanes. */
  static final VectorSpecies<Short> HALF_SHORTS =
      VectorSpecies.of(short.class, VectorShape.forBitSize(BYTES.vectorBitSize() / 2));

  static final VectorSpecies<Byte> HALF_BYTES = HALF_SHORTS.withLanes(byte.class);

  /** Bytes in a vector. */
  static final int STEP = BYTES.length();

  /** f32 lanes in a vector. */
  static final int LANES = INTS.length();

  private static final int UPPER = 0xffff0000;

  private Lanes() {}

  static IntVector load(byte[] array, int offset) {
    return ByteVector.fromArray(BYTES, array, offset).reinterpretAsInts();
  }

  static void store(IntVector v, byte[] array, int offset) {
    v.reinterpretAsBytes().intoArray(array, offset);
  }

  /** 16-bit elements, one per int lane; the upper halves hold copies of the sign bit. */
  static IntVector load16(byte[] array, int offset) {
    return (IntVector)
        ByteVector.fromArray(HALF_BYTES, array, offset)
            .reinterpretAsShorts()
            .convertShape(VectorOperators.S2I, INTS, 0);
  }

  /** Stores the lower halves of the lanes. */
  static void store16(IntVector v, byte[] array, int offset) {
    ((ShortVector) v.convertShape(VectorOperators.I2S, HALF_SHORTS, 0))
        .reinterpretAsBytes()
        .intoArray(array, offset);
  }

  /** The even elements of pairs, as f32 bits. */
  static IntVector even(IntVector pairs) {
    return pairs.lanewise(VectorOperators.LSHL, 16);
  }

  /** The odd elements of pairs, as f32 bits; also drops what {@link #rounded} leaves below. */
  static IntVector odd(IntVector pairs) {
    return pairs.and(UPPER);
  }

  /** The f32 sums. */
  static IntVector add(IntVector a, IntVector b) {
    return a.reinterpretAsFloats().add(b.reinterpretAsFloats()).reinterpretAsInts();
  }

  /**
   * f32 bits whose upper halves are the values rounded to bf16, nearest even; the lower halves are
   * left over. No guard for NaN: see {@link #canonicalPairs}.
   */
  static IntVector rounded(IntVector f32) {
    return f32.lanewise(VectorOperators.LSHR, 16).and(1).add(f32).add(0x7fff);
  }

  /** Pairs from the upper halves of two vectors. */
  static IntVector pair(IntVector even, IntVector odd) {
    return even.lanewise(VectorOperators.LSHR, 16).or(odd.and(UPPER));
  }

  /**
   * Makes every bf16 NaN canonical.
   *
   * <p>Enough of a guard for sums of bf16 values: a NaN that an addition makes is either an operand
   * made quiet or the processor's default NaN, whose lower halves are zero; so rounding cannot
   * carry it into Inf or zero, and it is still a NaN here.
   */
  static IntVector canonicalPairs(IntVector pairs) {
    ShortVector v = pairs.reinterpretAsShorts();
    ShortVector nan =
        v.and((short) 0x7fff).add((short) (0x7fff - 0x7f80)).lanewise(VectorOperators.ASHR, 15);
    return v.lanewise(VectorOperators.AND_NOT, nan).or(nan.and((short) 0x7fc0)).reinterpretAsInts();
  }

  /** All ones where the f32 is a NaN, else zero. */
  static IntVector nan(IntVector f32) {
    return f32.and(0x7fffffff).add(0x7fffffff - 0x7f800000).lanewise(VectorOperators.ASHR, 31);
  }

  /** Makes every f32 NaN canonical. */
  static IntVector canonical(IntVector f32) {
    return select(nan(f32), 0x7fc00000, f32);
  }

  /** {@code value} where the mask is all ones, {@code v} where it is zero. */
  static IntVector select(IntVector mask, int value, IntVector v) {
    return v.lanewise(VectorOperators.AND_NOT, mask).or(mask.and(value));
  }
}
