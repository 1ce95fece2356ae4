package org.allreducelab.backends.cpu;

import static org.allreducelab.backends.cpu.LittleEndian.get16;
import static org.allreducelab.backends.cpu.LittleEndian.get32;
import static org.allreducelab.backends.cpu.LittleEndian.put16;
import static org.allreducelab.backends.cpu.LittleEndian.put32;

import org.allreducelab.algorithms.numerics.BFloat16;
import org.allreducelab.algorithms.numerics.Binary16;

/** Conversions one element at a time. */
final class ScalarConversions {
  private ScalarConversions() {}

  static void bf16ToF32(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i++) {
      put32(destination, to + 4 * i, BFloat16.widen(get16(source, from + 2 * i)));
    }
  }

  static void f16ToF32(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i++) {
      put32(destination, to + 4 * i, Binary16.widen(get16(source, from + 2 * i)));
    }
  }

  static void f32ToBf16(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i++) {
      put16(destination, to + 2 * i, BFloat16.narrow(get32(source, from + 4 * i)));
    }
  }

  static void f32ToBf16Truncated(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i++) {
      put16(destination, to + 2 * i, BFloat16.truncate(get32(source, from + 4 * i)));
    }
  }

  static void f32ToF16(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i++) {
      put16(destination, to + 2 * i, Binary16.narrow(get32(source, from + 4 * i)));
    }
  }

  static void f32ToF16Truncated(byte[] source, int from, byte[] destination, int to, int length) {
    for (int i = 0; i < length; i++) {
      put16(destination, to + 2 * i, Binary16.truncate(get32(source, from + 4 * i)));
    }
  }
}
