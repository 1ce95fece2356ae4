package org.allreducelab.backends.kernels;

import org.allreducelab.algorithms.numerics.ElementType;

/**
 * The numerics of the kernels as functions on four bit patterns at once: the same rules as the
 * simulator's, in integers but for the addition and one exact product.
 *
 * <p>The text is in the vocabulary of GLSL: {@code uvec4}, {@code vec4} and {@code bvec4}, {@code
 * mix} by a {@code bvec4}, comparisons as functions, {@code floatBitsToUint} and its inverse,
 * {@code findMSB}. Another language translates these words and nothing else.
 */
public final class FoldNumerics {
  private static final String SCALAR_COMPARISONS =
      """
      bool lessThan(uint a, uint b) { return a < b; }
      bool greaterThan(uint a, uint b) { return a > b; }
      bool greaterThanEqual(uint a, uint b) { return a >= b; }
      bool equal(uint a, uint b) { return a == b; }
      bool any(bool b) { return b; }
      """;

  private FoldNumerics() {}

  /** The same text for one bit pattern at a time. */
  public static String scalar(String text) {
    return SCALAR_COMPARISONS
        + text.replace("uvec4", "uint").replace("bvec4", "bool").replace("vec4", "float");
  }

  /** {@code widen_T}, {@code pack_T}, {@code narrow_T} and {@code truncate_T} of a type. */
  public static String conversions(ElementType type) {
    return switch (type) {
      case BF16 ->
          """
          uvec4 widen_bf16(uvec4 b) { return b << 16; }
          uvec4 pack_bf16(uvec4 f) { return f >> 16; }
          uvec4 narrow_bf16(uvec4 f) {
            uvec4 rounded = (f + 0x7fffu + ((f >> 16) & 1u)) >> 16;
            return mix(rounded, uvec4(0x7fc0u), greaterThan(f & 0x7fffffffu, uvec4(0x7f800000u)));
          }
          uvec4 truncate_bf16(uvec4 f) {
            return mix(f >> 16, uvec4(0x7fc0u), greaterThan(f & 0x7fffffffu, uvec4(0x7f800000u)));
          }
          """;
      case F16 ->
          """
          uvec4 widen_f16(uvec4 h) {
            uvec4 sign = (h & 0x8000u) << 16;
            uvec4 m = h & 0x7fffu;
            uvec4 normal = (m << 13) + 0x38000000u;
            uvec4 special = (m << 13) | 0x7f800000u;
            // m · 2^-24: both exact and normal, whatever a device does with subnormal values.
            uvec4 small = floatBitsToUint(vec4(m) * uintBitsToFloat(uvec4(0x33800000u)));
            uvec4 f = mix(small, normal, greaterThanEqual(m, uvec4(0x400u)));
            return sign | mix(f, special, greaterThanEqual(m, uvec4(0x7c00u)));
          }
          uvec4 round_f16(uvec4 value, uvec4 shift, bool nearest) {
            uvec4 bias = (uvec4(1u) << (shift - 1u)) - 1u + ((value >> shift) & 1u);
            return (value + (nearest ? bias : uvec4(0u))) >> shift;
          }
          uvec4 finite_f16(uvec4 m, bool nearest) {
            uvec4 significand = (m & 0x7fffffu) | 0x800000u;
            uvec4 shift = min(uvec4(126u) - min(m >> 23, uvec4(112u)), uvec4(26u));
            return mix(
                round_f16(m - 0x38000000u, uvec4(13u), nearest),
                round_f16(significand, shift, nearest),
                lessThan(m, uvec4(0x38800000u)));
          }
          uvec4 narrow_f16(uvec4 f) {
            uvec4 m = f & 0x7fffffffu;
            uvec4 h = mix(
                finite_f16(m, true), uvec4(0x7c00u), greaterThanEqual(m, uvec4(0x47800000u)));
            h |= (f >> 16) & 0x8000u;
            return mix(h, uvec4(0x7e00u), greaterThan(m, uvec4(0x7f800000u)));
          }
          uvec4 pack_f16(uvec4 f) {
            uvec4 m = f & 0x7fffffffu;
            uvec4 h = mix(
                finite_f16(m, false), uvec4(0x7bffu), greaterThanEqual(m, uvec4(0x47800000u)));
            uvec4 special = 0x7c00u | ((m >> 13) & 0x3ffu);
            h = mix(h, special, greaterThanEqual(m, uvec4(0x7f800000u)));
            return h | ((f >> 16) & 0x8000u);
          }
          uvec4 truncate_f16(uvec4 f) {
            return mix(
                pack_f16(f), uvec4(0x7e00u), greaterThan(f & 0x7fffffffu, uvec4(0x7f800000u)));
          }
          """;
      case F32 ->
          """
          uvec4 widen_f32(uvec4 f) { return f; }
          uvec4 pack_f32(uvec4 f) { return f; }
          uvec4 narrow_f32(uvec4 f) {
            return mix(f, uvec4(0x7fc00000u), greaterThan(f & 0x7fffffffu, uvec4(0x7f800000u)));
          }
          uvec4 truncate_f32(uvec4 f) { return narrow_f32(f); }
          """;
    };
  }

  /**
   * {@code add}, the device's own; and where subnormal values need care, {@code mayFlush} of the
   * operands' smallest magnitude and {@code addExactly}, which is right for all operands.
   */
  public static String addition(boolean soft) {
    return """
        uvec4 add(uvec4 a, uvec4 b) {
          precise vec4 s = uintBitsToFloat(a) + uintBitsToFloat(b);
          return floatBitsToUint(s);
        }
        """
        + (soft ? SOFT : "");
  }

  private static final String SOFT =
      """
      bool mayFlush(uvec4 smallest) {
        return any(lessThan(smallest, uvec4(0x0c000000u)));
      }
      uvec4 addIntegers(uvec4 a, uvec4 b) {
        bvec4 swap = lessThan(a & 0x7fffffffu, b & 0x7fffffffu);
        uvec4 large = mix(a, b, swap);
        uvec4 small = mix(b, a, swap);
        uvec4 sign = large & 0x80000000u;
        uvec4 el = (large >> 23) & 0xffu;
        uvec4 es = (small >> 23) & 0xffu;
        uvec4 ml = (large & 0x7fffffu) | mix(uvec4(0x800000u), uvec4(0u), equal(el, uvec4(0u)));
        uvec4 ms = (small & 0x7fffffu) | mix(uvec4(0x800000u), uvec4(0u), equal(es, uvec4(0u)));
        uvec4 exponent = max(el, uvec4(1u));
        uvec4 apart = min(exponent - max(es, uvec4(1u)), uvec4(27u));
        // Three more bits: guard, round, and a sticky one for all that is shifted out.
        ml <<= 3;
        ms <<= 3;
        uvec4 lost = ms & ((uvec4(1u) << apart) - 1u);
        ms = (ms >> apart) | min(lost, uvec4(1u));
        bvec4 alike = equal((a ^ b) & 0x80000000u, uvec4(0u));
        uvec4 m = mix(ml - ms, ml + ms, alike);
        bvec4 carried = greaterThanEqual(m, uvec4(0x8000000u));
        m = mix(m, (m >> 1) | (m & 1u), carried);
        exponent += mix(uvec4(0u), uvec4(1u), carried);
        uvec4 room = uvec4(26) - uvec4(findMSB(m | 1u));
        uvec4 up = min(room, exponent - 1u);
        m <<= up;
        exponent -= up;
        uvec4 rest = m & 7u;
        uvec4 kept = m >> 3;
        uvec4 tie = mix(uvec4(0u), kept & 1u, equal(rest, uvec4(4u)));
        kept += mix(tie, uvec4(1u), greaterThan(rest, uvec4(4u)));
        uvec4 sum = min(((exponent - 1u) << 23) + kept, uvec4(0x7f800000u));
        // An exact zero is +0, but for -0 + -0.
        bvec4 zero = equal(m, uvec4(0u));
        sum = mix(sum | sign, a & b & 0x80000000u, zero);
        return sum;
      }
      uvec4 addExactly(uvec4 a, uvec4 b) {
        // With Inf or NaN no value is subnormal that counts.
        bvec4 special = greaterThanEqual(
            max(a & 0x7fffffffu, b & 0x7fffffffu), uvec4(0x7f800000u));
        return mix(addIntegers(a, b), add(a, b), special);
      }
      """;
}
