package org.allreducelab.backends.cpu.vector;

import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.IntVector;

/** The loop over f32. */
final class F32Folds {
  static final Chain F32 = Chain.of(new PairLoop(MethodHandles.lookup(), "pair"));

  private F32Folds() {}

  private static void pair(
      byte[] a, int aAt, byte[] b, int bAt, byte[] destination, int at, int bytes) {
    for (int i = 0; i < bytes; i += Lanes.STEP) {
      IntVector sum = Lanes.add(Lanes.load(a, aAt + i), Lanes.load(b, bAt + i));
      Lanes.store(Lanes.canonical(sum), destination, at + i);
    }
  }
}
