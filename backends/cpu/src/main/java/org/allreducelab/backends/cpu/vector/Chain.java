package org.allreducelab.backends.cpu.vector;

/**
 * The loops of one arithmetic: a fold of several operands is a chain of folds of two.
 *
 * @param pair folds two operands into the result
 * @param first folds two operands into the accumulator
 * @param middle folds the accumulator and an operand into the accumulator
 * @param last folds the accumulator and an operand into the result
 * @param accumulatorBytes bytes of accumulator per byte of an operand
 */
record Chain(PairLoop pair, PairLoop first, PairLoop middle, PairLoop last, int accumulatorBytes) {

  /** Of an arithmetic whose accumulator is of the element type. */
  static Chain of(PairLoop pair) {
    return new Chain(pair, pair, pair, pair, 1);
  }
}
