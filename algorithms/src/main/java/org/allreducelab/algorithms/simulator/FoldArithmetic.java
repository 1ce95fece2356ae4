package org.allreducelab.algorithms.simulator;

import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.Narrowing;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;

/**
 * How one combine makes its values from its operands' under a precision, on f32 bits.
 *
 * @param wire the rounding of a value that crosses between ranks
 * @param ownPassesWire whether the rank's own operand is rounded too
 * @param eachAdd rounding after every add
 * @param lastAdd rounding after the last add
 */
record FoldArithmetic(Rounding wire, boolean ownPassesWire, Rounding eachAdd, Rounding lastAdd) {

  static FoldArithmetic of(Precision precision, int ranks, int count) {
    // One rank has no peer: nothing crosses a wire, its bytes are copied.
    boolean narrows = ranks > 1 && precision.narrowsWire(count);
    Rounding wire = narrows ? Rounding.to(precision.wire(), precision.narrowing()) : Rounding.NONE;
    Rounding element = Rounding.to(precision.element(), Narrowing.RNE);
    boolean each = precision.accumulate() == Accumulate.EACH_ADD;
    return new FoldArithmetic(
        wire,
        precision.ownOperand() == OwnOperand.WIRE,
        each ? element : Rounding.NONE,
        each ? Rounding.NONE : element);
  }

  /**
   * Folds a combine's operands.
   *
   * @param values each rank's values
   * @param from first element to fold
   * @param out receives the results from index {@code at} on
   * @param length number of elements
   */
  void fold(int[][] values, Combine combine, int from, int[] out, int at, int length) {
    enter(values, combine, 0, from, out, at, length);
    int operands = combine.operandCount();
    if (operands == 1) {
      return;
    }
    boolean plain = wire == Rounding.NONE;
    int[] entered = plain ? new int[0] : new int[length];
    for (int k = 1; k < operands; k++) {
      if (plain) {
        add(out, at, values[combine.operand(k)], from, length);
      } else {
        enter(values, combine, k, from, entered, 0, length);
        add(out, at, entered, 0, length);
      }
      eachAdd.round(out, at, length);
    }
    lastAdd.round(out, at, length);
  }

  /** Copies one operand as it enters the fold: through the wire, or as it is. */
  void enter(
      int[][] values, Combine combine, int operand, int from, int[] out, int at, int length) {
    int rank = combine.operand(operand);
    System.arraycopy(values[rank], from, out, at, length);
    if (ownPassesWire || rank != combine.rank()) {
      wire.round(out, at, length);
    }
  }

  private static void add(int[] sums, int at, int[] values, int from, int length) {
    for (int i = 0; i < length; i++) {
      float sum = Float.intBitsToFloat(sums[at + i]) + Float.intBitsToFloat(values[from + i]);
      sums[at + i] = Float.floatToRawIntBits(sum);
    }
  }
}
