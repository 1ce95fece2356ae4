package org.allreducelab.algorithms.data;

import java.util.List;
import org.allreducelab.algorithms.numerics.ElementType;

/** A kind of test data; each shows faults that the others hide. */
public enum DataKind {
  /**
   * Distinct powers of two, so that an exact sum names its ranks: a missing, doubled or foreign
   * value shows as a bit. Eight ranks at a time hold 2^0..2^7, the others zero, since a bf16 sum of
   * more would be rounded; the eight move from element to element. Scaled by element, so that a
   * misplaced element shows too.
   */
  INTEGERS("integers"),
  /** Every bit pattern equally likely, NaNs and subnormals included. */
  RANDOM_BITS("random-bits"),
  /** Approximately normal, mean 0, deviation 1: benign data, as benchmarks want it. */
  GAUSSIAN("gaussian"),
  /** Magnitudes over 40 binades or more: only such data shows the order of an f32 accumulation. */
  WIDE_RANGE("wide-range"),
  /** (a, b, -a) with a small b, in any rank order: b survives in some orders only. */
  TRIPLES("triples"),
  /** Signed zeros, infinities, NaNs with payloads, subnormals, smallest normals, largest values. */
  SPECIALS("specials");

  private static final List<DataKind> ALL = List.of(values());

  private final String label;

  DataKind(String label) {
    this.label = label;
  }

  /** All kinds, in the order in which they alternate within a vector. */
  public static List<DataKind> all() {
    return ALL;
  }

  /** The name users see: {@code wide-range}. */
  public String label() {
    return label;
  }

  int bits(ElementType type, Place place) {
    return switch (this) {
      case INTEGERS -> Integers.bits(type, place);
      case RANDOM_BITS -> RandomBits.bits(type, place);
      case GAUSSIAN -> Gaussian.bits(type, place);
      case WIDE_RANGE -> WideRange.bits(type, place);
      case TRIPLES -> Triples.bits(type, place);
      case SPECIALS -> Specials.bits(type, place);
    };
  }
}
