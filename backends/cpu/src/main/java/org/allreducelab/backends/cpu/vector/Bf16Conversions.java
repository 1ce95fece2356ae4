package org.allreducelab.backends.cpu.vector;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.allreducelab.backends.cpu.ConvertLoop;

/** f32 to bf16 and back; elements beyond the last full vector go to the scalar loop. */
final class Bf16Conversions {
  private static final int CANONICAL_NAN = 0x7fc0;

  private Bf16Conversions() {}

  static ConvertLoop widen(ConvertLoop tail) {
    return (source, from, destination, to, length) -> {
      int i = 0;
      for (; i <= length - Lanes.LANES; i += Lanes.LANES) {
        IntVector v = Lanes.load16(source, from + 2 * i);
        Lanes.store(v.lanewise(VectorOperators.LSHL, 16), destination, to + 4 * i);
      }
      tail.convert(source, from + 2 * i, destination, to + 4 * i, length - i);
    };
  }

  static ConvertLoop nearest(ConvertLoop tail) {
    return (source, from, destination, to, length) -> {
      int i = 0;
      for (; i <= length - Lanes.LANES; i += Lanes.LANES) {
        IntVector v = Lanes.load(source, from + 4 * i);
        IntVector bf16 = Lanes.rounded(v).lanewise(VectorOperators.LSHR, 16);
        Lanes.store16(Lanes.select(Lanes.nan(v), CANONICAL_NAN, bf16), destination, to + 2 * i);
      }
      tail.convert(source, from + 4 * i, destination, to + 2 * i, length - i);
    };
  }

  static ConvertLoop truncated(ConvertLoop tail) {
    return (source, from, destination, to, length) -> {
      int i = 0;
      for (; i <= length - Lanes.LANES; i += Lanes.LANES) {
        IntVector v = Lanes.load(source, from + 4 * i);
        IntVector bf16 = v.lanewise(VectorOperators.LSHR, 16);
        Lanes.store16(Lanes.select(Lanes.nan(v), CANONICAL_NAN, bf16), destination, to + 2 * i);
      }
      tail.convert(source, from + 4 * i, destination, to + 2 * i, length - i);
    };
  }
}
