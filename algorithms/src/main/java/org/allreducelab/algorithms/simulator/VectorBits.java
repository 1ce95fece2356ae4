package org.allreducelab.algorithms.simulator;

import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Moves elements between byte vectors and f32 bits. One loop per type, so that each is compiled.
 */
final class VectorBits {
  private VectorBits() {}

  /** Widens the elements of a span into the start of {@code bits}. */
  static void load(byte[] vector, ElementType type, Span span, int[] bits) {
    int from = span.offset();
    switch (type) {
      case BF16 -> {
        for (int i = 0; i < span.length(); i++) {
          bits[i] = ElementType.BF16.get(vector, from + i) << 16;
        }
      }
      case F16 -> {
        for (int i = 0; i < span.length(); i++) {
          bits[i] = ElementType.F16.widen(ElementType.F16.get(vector, from + i));
        }
      }
      case F32 -> {
        for (int i = 0; i < span.length(); i++) {
          bits[i] = ElementType.F32.get(vector, from + i);
        }
      }
    }
  }

  /** Packs the start of {@code bits} into the elements of a span. */
  static void store(int[] bits, byte[] vector, ElementType type, Span span) {
    int from = span.offset();
    switch (type) {
      case BF16 -> {
        for (int i = 0; i < span.length(); i++) {
          ElementType.BF16.put(vector, from + i, bits[i] >>> 16);
        }
      }
      case F16 -> {
        for (int i = 0; i < span.length(); i++) {
          ElementType.F16.put(vector, from + i, ElementType.F16.pack(bits[i]));
        }
      }
      case F32 -> {
        for (int i = 0; i < span.length(); i++) {
          ElementType.F32.put(vector, from + i, bits[i]);
        }
      }
    }
  }
}
