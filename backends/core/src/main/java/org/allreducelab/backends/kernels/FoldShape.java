package org.allreducelab.backends.kernels;

import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;
import org.allreducelab.algorithms.numerics.Precision;

/**
 * What the text of a fold kernel depends on; what remains is specialised: {@link FoldVariant}.
 *
 * @param operands how many values are folded, ≥ 1
 * @param element type of the user's buffers
 * @param wire type that crosses between ranks
 * @param narrowing how a value becomes the wire type
 * @param eachAdd whether the sum is rounded to the element type after every add
 */
public record FoldShape(
    int operands, ElementType element, ElementType wire, Narrowing narrowing, boolean eachAdd) {

  /** Shapes that compute the same are the same: drivers take long to compile each. */
  public static FoldShape of(Precision precision, int count, int operands) {
    ElementType wire = precision.wireFor(count);
    return new FoldShape(
        operands,
        precision.element(),
        wire,
        wire == precision.element() ? Narrowing.RNE : precision.narrowing(),
        operands > 2 && precision.accumulate() == Accumulate.EACH_ADD);
  }
}
