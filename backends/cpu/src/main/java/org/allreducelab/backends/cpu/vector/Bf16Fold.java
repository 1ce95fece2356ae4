package org.allreducelab.backends.cpu.vector;

import jdk.incubator.vector.IntVector;
import org.allreducelab.backends.cpu.FoldLoop;

/**
 * Folds bf16 pairs; elements beyond the last full vector go to the scalar loop.
 *
 * <p>Two operands are one add and one rounding whatever the accumulation, and most folds have two:
 * they get a loop of their own.
 */
final class Bf16Fold implements FoldLoop {
  private final boolean eachAdd;
  private final FoldLoop tail;

  Bf16Fold(boolean eachAdd, FoldLoop tail) {
    this.eachAdd = eachAdd;
    this.tail = tail;
  }

  @Override
  public void fold(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int from, int to) {
    int start = 2 * from;
    int end = start + (2 * (to - from) / Lanes.STEP) * Lanes.STEP;
    if (sources.length == 2) {
      two(sources[0], offsets[0], sources[1], offsets[1], destination, offset, start, end);
    } else if (eachAdd) {
      roundingEach(sources, offsets, destination, offset, start, end);
    } else {
      roundingOnce(sources, offsets, destination, offset, start, end);
    }
    tail.fold(sources, offsets, destination, offset, end / 2, to);
  }

  private static void two(
      byte[] a, int aAt, byte[] b, int bAt, byte[] destination, int offset, int start, int end) {
    for (int i = start; i < end; i += Lanes.STEP) {
      IntVector x = Lanes.load(a, aAt + i);
      IntVector y = Lanes.load(b, bAt + i);
      IntVector even = Lanes.rounded(Lanes.add(Lanes.even(x), Lanes.even(y)));
      IntVector odd = Lanes.rounded(Lanes.add(Lanes.odd(x), Lanes.odd(y)));
      Lanes.store(Lanes.canonicalPairs(Lanes.pair(even, odd)), destination, offset + i);
    }
  }

  private static void roundingEach(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int start, int end) {
    for (int i = start; i < end; i += Lanes.STEP) {
      IntVector odd = Lanes.load(sources[0], offsets[0] + i);
      IntVector even = Lanes.even(odd);
      for (int k = 1; k < sources.length; k++) {
        IntVector next = Lanes.load(sources[k], offsets[k] + i);
        even = Lanes.rounded(Lanes.add(Lanes.odd(even), Lanes.even(next)));
        odd = Lanes.rounded(Lanes.add(Lanes.odd(odd), Lanes.odd(next)));
      }
      Lanes.store(Lanes.canonicalPairs(Lanes.pair(even, odd)), destination, offset + i);
    }
  }

  private static void roundingOnce(
      byte[][] sources, int[] offsets, byte[] destination, int offset, int start, int end) {
    for (int i = start; i < end; i += Lanes.STEP) {
      IntVector first = Lanes.load(sources[0], offsets[0] + i);
      IntVector even = Lanes.even(first);
      IntVector odd = Lanes.odd(first);
      for (int k = 1; k < sources.length; k++) {
        IntVector next = Lanes.load(sources[k], offsets[k] + i);
        even = Lanes.add(even, Lanes.even(next));
        odd = Lanes.add(odd, Lanes.odd(next));
      }
      IntVector pairs = Lanes.pair(Lanes.rounded(even), Lanes.rounded(odd));
      Lanes.store(Lanes.canonicalPairs(pairs), destination, offset + i);
    }
  }
}
