package org.allreducelab.backends.kernels;

import java.util.Collections;
import java.util.List;
import org.allreducelab.backends.lowering.Fold;

/**
 * A fold kernel specialised for where its operands come from and its result goes to.
 *
 * @param shape what the text depends on
 * @param kinds of each operand, in fold order
 * @param publishes whether the result goes into a slot too, in the wire type
 * @param toWire whether the destination has the wire type: a publish on its own
 */
public record FoldVariant(
    FoldShape shape, List<OperandKind> kinds, boolean publishes, boolean toWire) {
  /** Operands whose kinds fit into {@link #word()}. */
  public static final int MOST_IN_A_WORD = 15;

  public FoldVariant {
    kinds = List.copyOf(kinds);
  }

  public static FoldVariant of(Fold fold, FoldShape shape) {
    return new FoldVariant(
        shape,
        fold.sources().stream().map(s -> OperandKind.of(s, shape)).toList(),
        fold.publish() != null,
        fold.destination().type() != shape.element());
  }

  /**
   * The kinds and flags as a word of a fold record, for kernels that are not specialised: two bits
   * per operand, then whether it publishes, then whether to the wire type.
   */
  public int word() {
    int word = (publishes ? 1 << 30 : 0) | (toWire ? 1 << 31 : 0);
    for (int k = 0; k < Math.min(kinds.size(), MOST_IN_A_WORD); k++) {
      word |= kinds.get(k).constant() << (2 * k);
    }
    return word;
  }

  /** The variant that a kernel which reads {@link #word()} stands for. */
  public FoldVariant unspecialised() {
    return new FoldVariant(
        shape, Collections.nCopies(kinds.size(), OperandKind.ELEMENT), false, false);
  }
}
