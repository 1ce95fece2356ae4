package org.allreducelab.backends.cpu;

import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Narrowing;

/** A full set of inner loops of one kind. */
public interface LoopSet {
  /** What a group reports: {@code scalar}, or {@code vector-} with the width in bits. */
  String name();

  /**
   * The fold of elements of one type.
   *
   * @param element the type
   * @param accumulate where roundings fall
   * @param operands how many are folded, at least two
   */
  FoldLoop fold(ElementType element, Accumulate accumulate, int operands);

  /**
   * The conversion of f32 to a narrower type.
   *
   * @throws IllegalArgumentException if {@code wire} is not narrower
   */
  ConvertLoop narrow(ElementType wire, Narrowing narrowing);

  /**
   * The conversion of a narrower type to f32; exact.
   *
   * @throws IllegalArgumentException if {@code wire} is not narrower
   */
  ConvertLoop widen(ElementType wire);
}
