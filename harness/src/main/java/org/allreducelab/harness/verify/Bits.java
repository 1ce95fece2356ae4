package org.allreducelab.harness.verify;

import java.util.Locale;
import org.allreducelab.algorithms.numerics.ElementType;

/** Bits of an element as people read them. */
final class Bits {
  private Bits() {}

  /** {@code 3F80}. */
  static String hex(ElementType type, int bits) {
    return String.format(Locale.ROOT, "%0" + 2 * type.bytes() + "X", bits);
  }

  /** {@code 3F80 (1.0)}. */
  static String shown(ElementType type, int bits) {
    return hex(type, bits) + " (" + Float.intBitsToFloat(type.widen(bits)) + ")";
  }
}
