package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import org.allreducelab.backends.cpu.FoldLoop;

/** Loops over f32. */
final class F32Fold {
  private F32Fold() {}

  static FoldLoop of(FoldLoop tail) {
    return new VectorFold(MethodHandles.lookup(), "two", "several", 4, tail);
  }

  private static void two(
      byte[] a, int aAt, byte[] b, int bAt, byte[] destination, int offset, int start, int end) {
    for (int i = start; i < end; i += Lanes.STEP) {
      IntVector sum = Lanes.add(Lanes.load(a, aAt + i), Lanes.load(b, bAt + i));
      Lanes.store(Lanes.canonical(sum), destination, offset + i);
    }
  }

  private static void several(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int start, int end) {
    for (int i = start; i < end; i += Lanes.STEP) {
      IntVector sum = Lanes.load(sources[0], offsets[0] + i);
      for (int k = 1; k < sources.length; k++) {
        sum = Lanes.add(sum, Lanes.load(sources[k], offsets[k] + i));
      }
      Lanes.store(Lanes.canonical(sum), destination, offset + i);
    }
  }
}
