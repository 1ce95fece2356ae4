package org.allreducelab.backends.cpu;

import static org.allreducelab.backends.cpu.LittleEndian.get16;
import static org.allreducelab.backends.cpu.LittleEndian.get32;
import static org.allreducelab.backends.cpu.LittleEndian.put16;
import static org.allreducelab.backends.cpu.LittleEndian.put32;

import org.allreducelab.algorithms.numerics.BFloat16;
import org.allreducelab.algorithms.numerics.Binary16;
import org.allreducelab.algorithms.numerics.Binary32;

/** Folds one element at a time: 1 to 5 GB/s of traffic, since C2 does not vectorise them. */
final class ScalarFolds {
  private ScalarFolds() {}

  static void bf16EachAdd(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    for (int at = 2 * from; at < 2 * to; at += 2) {
      int sum = get16(sources[0], offsets[0] + at);
      for (int k = 1; k < sources.length; k++) {
        sum = BFloat16.add(sum, get16(sources[k], offsets[k] + at));
      }
      put16(destination, offset + at, sum);
    }
  }

  static void bf16InF32(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    for (int at = 2 * from; at < 2 * to; at += 2) {
      float sum = BFloat16.toFloat(get16(sources[0], offsets[0] + at));
      for (int k = 1; k < sources.length; k++) {
        sum += BFloat16.toFloat(get16(sources[k], offsets[k] + at));
      }
      put16(destination, offset + at, BFloat16.narrow(Float.floatToRawIntBits(sum)));
    }
  }

  static void f16EachAdd(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    for (int at = 2 * from; at < 2 * to; at += 2) {
      int sum = get16(sources[0], offsets[0] + at);
      for (int k = 1; k < sources.length; k++) {
        sum = Binary16.add(sum, get16(sources[k], offsets[k] + at));
      }
      put16(destination, offset + at, sum);
    }
  }

  static void f16InF32(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    for (int at = 2 * from; at < 2 * to; at += 2) {
      float sum = Binary16.toFloat(get16(sources[0], offsets[0] + at));
      for (int k = 1; k < sources.length; k++) {
        sum += Binary16.toFloat(get16(sources[k], offsets[k] + at));
      }
      put16(destination, offset + at, Binary16.narrow(Float.floatToRawIntBits(sum)));
    }
  }

  static void f32(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    for (int i = from; i < to; i++) {
      int at = 4 * i;
      float sum = Float.intBitsToFloat(get32(sources[0], offsets[0] + at));
      for (int k = 1; k < sources.length; k++) {
        sum += Float.intBitsToFloat(get32(sources[k], offsets[k] + at));
      }
      put32(destination, offset + at, Binary32.canonical(Float.floatToRawIntBits(sum)));
    }
  }
}
