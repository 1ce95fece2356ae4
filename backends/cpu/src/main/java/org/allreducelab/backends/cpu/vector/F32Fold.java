package org.allreducelab.backends.cpu.vector;

import jdk.incubator.vector.IntVector;
import org.allreducelab.backends.cpu.FoldLoop;

/** Folds f32; elements beyond the last full vector go to the scalar loop. */
final class F32Fold implements FoldLoop {
  private static final int CANONICAL_NAN = 0x7fc00000;

  private final FoldLoop tail;

  F32Fold(FoldLoop tail) {
    this.tail = tail;
  }

  @Override
  public void fold(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    int start = 4 * from;
    int end = start + ((to - from) / Lanes.LANES) * Lanes.STEP;
    if (sources.length == 2) {
      two(sources[0], offsets[0], sources[1], offsets[1], destination, offset, start, end);
    } else {
      several(sources, offsets, destination, offset, start, end);
    }
    tail.fold(sources, offsets, destination, offset, end / 4, to);
  }

  private static void two(
      byte[] a, int aAt, byte[] b, int bAt, byte[] destination, int offset, int start, int end) {
    for (int i = start; i < end; i += Lanes.STEP) {
      IntVector sum = Lanes.add(Lanes.load(a, aAt + i), Lanes.load(b, bAt + i));
      Lanes.store(Lanes.select(Lanes.nan(sum), CANONICAL_NAN, sum), destination, offset + i);
    }
  }

  private static void several(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int start, int end) {
    for (int i = start; i < end; i += Lanes.STEP) {
      IntVector sum = Lanes.load(sources[0], offsets[0] + i);
      for (int k = 1; k < sources.length; k++) {
        sum = Lanes.add(sum, Lanes.load(sources[k], offsets[k] + i));
      }
      Lanes.store(Lanes.select(Lanes.nan(sum), CANONICAL_NAN, sum), destination, offset + i);
    }
  }
}
