package org.allreducelab.algorithms;

/** Binary logarithms of positive integers. */
final class Log2 {
  private Log2() {}

  /** ⌊log2 n⌋ for n ≥ 1. */
  static int floor(int n) {
    return 31 - Integer.numberOfLeadingZeros(n);
  }

  /** ⌈log2 n⌉ for n ≥ 1. */
  static int ceil(int n) {
    return n == 1 ? 0 : floor(n - 1) + 1;
  }
}
