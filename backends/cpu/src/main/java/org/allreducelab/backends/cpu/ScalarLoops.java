package org.allreducelab.backends.cpu;

import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

/** Plain Java loops: what runs where the Vector API is not there. */
final class ScalarLoops implements LoopSet {
  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public FoldLoop fold(ElementType element, Accumulate accumulate, int operands) {
    boolean eachAdd = accumulate == Accumulate.EACH_ADD;
    return switch (element) {
      case BF16 -> eachAdd ? ScalarFolds::bf16EachAdd : ScalarFolds::bf16InF32;
      case F16 -> eachAdd ? ScalarFolds::f16EachAdd : ScalarFolds::f16InF32;
      case F32 -> ScalarFolds::f32;
    };
  }

  @Override
  public ConvertLoop narrow(ElementType wire, Narrowing narrowing) {
    boolean nearest = narrowing == Narrowing.RNE;
    return switch (wire) {
      case BF16 -> nearest ? ScalarConversions::f32ToBf16 : ScalarConversions::f32ToBf16Truncated;
      case F16 -> nearest ? ScalarConversions::f32ToF16 : ScalarConversions::f32ToF16Truncated;
      case F32 -> throw notNarrower(wire);
    };
  }

  @Override
  public ConvertLoop widen(ElementType wire) {
    return switch (wire) {
      case BF16 -> ScalarConversions::bf16ToF32;
      case F16 -> ScalarConversions::f16ToF32;
      case F32 -> throw notNarrower(wire);
    };
  }

  private static IllegalArgumentException notNarrower(ElementType wire) {
    return new IllegalArgumentException(wire.label() + " is not narrower than f32");
  }
}
