package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;
import org.allreducelab.backends.cpu.FoldLoop;

/** Loops over bf16 pairs. Two operands are one add and one rounding whatever the accumulation. */
final class Bf16Fold {
  private Bf16Fold() {}

  static FoldLoop eachAdd(FoldLoop tail) {
    return new VectorFold(MethodHandles.lookup(), "two", "roundingEach", 2, tail);
  }

  static FoldLoop inF32(FoldLoop tail) {
    return new VectorFold(MethodHandles.lookup(), "two", "roundingOnce", 2, tail);
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
