package org.allreducelab.backends.cpu.vector;

import jdk.incubator.vector.ByteVector;
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
    // Not through Lanes, which cannot be initialised for shorter vectors.
    int bits = ByteVector.SPECIES_PREFERRED.vectorBitSize();
    if (bits < 128) {
      throw new UnsupportedOperationException("vectors of " + bits + " bits, 128 needed");
    }
    this.scalar = scalar;
  }

  @Override
  public String name() {
    return "vector-" + Lanes.BYTES.vectorBitSize();
  }

  @Override
  public FoldLoop fold(ElementType element, Accumulate accumulate, int operands) {
    FoldLoop tail = scalar.fold(element, accumulate, operands);
    boolean eachAdd = accumulate == Accumulate.EACH_ADD;
    return switch (element) {
      case BF16 ->
          new VectorFold(eachAdd ? Bf16Folds.EACH_ADD : Bf16Folds.IN_F32, 2, operands, tail);
      case F16 -> tail;
      case F32 -> new VectorFold(F32Folds.F32, 4, operands, tail);
    };
  }

  @Override
  public ConvertLoop narrow(ElementType wire, Narrowing narrowing) {
    ConvertLoop tail = scalar.narrow(wire, narrowing);
    boolean nearest = narrowing == Narrowing.RNE;
    return switch (wire) {
      case BF16 -> nearest ? Bf16Conversions.rounding(tail) : Bf16Conversions.truncating(tail);
      case F16 -> nearest ? F16Conversions.rounding(tail) : tail;
      case F32 -> tail;
    };
  }

  @Override
  public ConvertLoop widen(ElementType wire) {
    ConvertLoop tail = scalar.widen(wire);
    return wire == ElementType.BF16
        ? Bf16Conversions.widening(tail)
        : F16Conversions.widening(tail);
  }
}
