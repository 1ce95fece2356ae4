package org.allreducelab.algorithms;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * What each algorithm's documentation promises, as formulas of the number of ranks (≥ 2) and, for
 * wire volume, of a vector length that all its cuts divide evenly.
 */
record ClosedForms(
    Algorithm algorithm, IntUnaryOperator rounds, IntUnaryOperator addDepth, Volume mostReceived) {

  /** Elements received by the rank that receives most. */
  @FunctionalInterface
  interface Volume {
    long elements(int ranks, long count);
  }

  static List<ClosedForms> all() {
    return List.of(
        of("naive", n -> 2, n -> n - 1, (n, m) -> (n - 1) * m),
        of("ring", n -> 2 * (n - 1), n -> n - 1, ClosedForms::optimal),
        of("bidirectional-ring", n -> 2 * (n - 1), n -> n - 1, ClosedForms::optimal),
        halving("halving-doubling"),
        halving("halving-doubling:distance=asc"),
        halving("halving-doubling:fold=adjacent"),
        halving("halving-doubling:distance=asc,fold=adjacent"),
        doubling("recursive-doubling"),
        doubling("recursive-doubling:distance=asc"),
        doubling("recursive-doubling:fold=adjacent"),
        doubling("recursive-doubling:distance=asc,fold=adjacent"),
        of("one-shot", n -> 1, n -> n - 1, (n, m) -> (n - 1) * m),
        of("two-shot", n -> 2, n -> n - 1, ClosedForms::optimal),
        of("binomial-tree", n -> 2 * ceil(n), ClosedForms::ceil, (n, m) -> ceil(n) * m),
        of(
            "double-binary-tree",
            n -> 2 * floor(n),
            n -> 2 * floor(n) - (isPowerOfTwo(n) ? 1 : 0),
            (n, m) -> n < 4 ? n * m / 2 : 2 * m),
        halving("swing"),
        doubling("swing-latency"),
        of("circulant", n -> 2 * ceil(n), ClosedForms::ceil, ClosedForms::optimal));
  }

  /** The least volume possible: 2(n−1)/n of the vector. */
  static long optimal(int ranks, long count) {
    return 2L * (ranks - 1) * count / ranks;
  }

  static boolean isPowerOfTwo(int n) {
    return Integer.bitCount(n) == 1;
  }

  static int floor(int n) {
    return (int) Math.floor(Math.log(n) / Math.log(2) + 1e-9);
  }

  static int ceil(int n) {
    return (int) Math.ceil(Math.log(n) / Math.log(2) - 1e-9);
  }

  private static ClosedForms halving(String name) {
    return of(
        name,
        n -> 2 * floor(n) + framing(n),
        ClosedForms::ceil,
        (n, m) -> (isPowerOfTwo(n) ? 0 : m) + optimal(1 << floor(n), m));
  }

  private static ClosedForms doubling(String name) {
    return of(name, n -> floor(n) + framing(n), ClosedForms::ceil, (n, m) -> ceil(n) * m);
  }

  /** The rounds that fold extra ranks in and hand them the result. */
  private static int framing(int n) {
    return isPowerOfTwo(n) ? 0 : 2;
  }

  private static ClosedForms of(
      String name, IntUnaryOperator rounds, IntUnaryOperator addDepth, Volume mostReceived) {
    return new ClosedForms(Algorithms.named(name), rounds, addDepth, mostReceived);
  }

  @Override
  public String toString() {
    return algorithm.name();
  }
}
