package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;

/**
 * Loops over bf16 pairs. A fold of two is one add and one rounding whatever the accumulation.
 *
 * <p>The f32 accumulator holds, for each vector of pairs, one vector of the even elements and one
 * of the odd ones.
 */
final class Bf16Folds {
  private static final PairLoop PAIR = loop("pair");

  /** Rounds after every add. */
  static final Chain EACH_ADD = Chain.of(PAIR);

  /** Rounds once. */
  static final Chain IN_F32 = new Chain(PAIR, loop("first"), loop("middle"), loop("last"), 2);

  private Bf16Folds() {}

  private static PairLoop loop(String name) {
    return new PairLoop(MethodHandles.lookup(), name);
  }

  private static void pair(
      byte[] a, int aAt, byte[] b, int bAt, byte[] destination, int at, int bytes) {
    for (int i = 0; i < bytes; i += Lanes.STEP) {
      IntVector x = Lanes.load(a, aAt + i);
      IntVector y = Lanes.load(b, bAt + i);
      IntVector even = Lanes.rounded(Lanes.add(Lanes.even(x), Lanes.even(y)));
      IntVector odd = Lanes.rounded(Lanes.add(Lanes.odd(x), Lanes.odd(y)));
      Lanes.store(Lanes.canonicalPairs(Lanes.pair(even, odd)), destination, at + i);
    }
  }

  private static void first(byte[] a, int aAt, byte[] b, int bAt, byte[] sum, int at, int bytes) {
    for (int i = 0; i < bytes; i += Lanes.STEP) {
      IntVector x = Lanes.load(a, aAt + i);
      IntVector y = Lanes.load(b, bAt + i);
      Lanes.store(Lanes.add(Lanes.even(x), Lanes.even(y)), sum, at + 2 * i);
      Lanes.store(Lanes.add(Lanes.odd(x), Lanes.odd(y)), sum, at + 2 * i + Lanes.STEP);
    }
  }

  private static void middle(
      byte[] sum, int sumAt, byte[] b, int bAt, byte[] next, int at, int bytes) {
    for (int i = 0; i < bytes; i += Lanes.STEP) {
      IntVector even = Lanes.load(sum, sumAt + 2 * i);
      IntVector odd = Lanes.load(sum, sumAt + 2 * i + Lanes.STEP);
      IntVector y = Lanes.load(b, bAt + i);
      Lanes.store(Lanes.add(even, Lanes.even(y)), next, at + 2 * i);
      Lanes.store(Lanes.add(odd, Lanes.odd(y)), next, at + 2 * i + Lanes.STEP);
    }
  }

  private static void last(
      byte[] sum, int sumAt, byte[] b, int bAt, byte[] destination, int at, int bytes) {
    for (int i = 0; i < bytes; i += Lanes.STEP) {
      IntVector even = Lanes.load(sum, sumAt + 2 * i);
      IntVector odd = Lanes.load(sum, sumAt + 2 * i + Lanes.STEP);
      IntVector y = Lanes.load(b, bAt + i);
      even = Lanes.rounded(Lanes.add(even, Lanes.even(y)));
      odd = Lanes.rounded(Lanes.add(odd, Lanes.odd(y)));
      Lanes.store(Lanes.canonicalPairs(Lanes.pair(even, odd)), destination, at + i);
    }
  }
}
