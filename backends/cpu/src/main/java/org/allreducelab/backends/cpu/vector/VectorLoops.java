package org.allreducelab.backends.cpu.vector;

import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;
import org.allreducelab.backends.cpu.ConvertLoop;
import org.allreducelab.backends.cpu.FoldLoop;
import org.allreducelab.backends.cpu.LoopSet;

/**
 * Vector loops for all presets. Folds of f16 elements and truncation to f16, which no preset has,
 * stay scalar.
 */
public final class VectorLoops implements LoopSet {
  private final LoopSet scalar;

  /**
   * @param scalar takes what is less than a vector
   * @throws UnsupportedOperationException if this machine's vectors are too short to gain anything
   */
  public VectorLoops(LoopSet scalar) {
    if (Lanes.BYTES.vectorBitSize() < 128) {
      throw new UnsupportedOperationException(
          "vectors of " + Lanes.BYTES.vectorBitSize() + " bits, 128 needed");
    }
    this.scalar = scalar;
  }

  @Override
  public String name() {
    return "vector-" + Lanes.BYTES.vectorBitSize();
  }

  @Override
  public FoldLoop fold(ElementType element, Accumulate accumulate) {
    FoldLoop tail = scalar.fold(element, accumulate);
    return switch (element) {
      case BF16 -> new Bf16Fold(accumulate == Accumulate.EACH_ADD, tail);
      case F16 -> tail;
      case F32 -> new F32Fold(tail);
    };
  }

  @Override
  public ConvertLoop narrow(ElementType wire, Narrowing narrowing) {
    ConvertLoop tail = scalar.narrow(wire, narrowing);
    boolean nearest = narrowing == Narrowing.RNE;
    return switch (wire) {
      case BF16 -> nearest ? Bf16Conversions.nearest(tail) : Bf16Conversions.truncated(tail);
      case F16 -> nearest ? F16Conversions.nearest(tail) : tail;
      case F32 -> tail;
    };
  }

  @Override
  public ConvertLoop widen(ElementType wire) {
    ConvertLoop tail = scalar.widen(wire);
    return wire == ElementType.BF16 ? Bf16Conversions.widen(tail) : F16Conversions.widen(tail);
  }
}
