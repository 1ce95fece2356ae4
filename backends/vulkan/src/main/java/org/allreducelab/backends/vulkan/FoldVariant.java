package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.lowering.Fold;

/**
 * A fold kernel specialised: one pipeline.
 *
 * @param shape what the text depends on
 * @param kinds of each operand, in fold order
 * @param publishes whether the result goes into a slot too, in the wire type
 * @param toWire whether the destination has the wire type: a publish on its own
 */
record FoldVariant(FoldShape shape, List<OperandKind> kinds, boolean publishes, boolean toWire) {
  FoldVariant {
    kinds = List.copyOf(kinds);
  }

  static FoldVariant of(Fold fold, FoldShape shape) {
    return new FoldVariant(
        shape,
        fold.sources().stream().map(s -> OperandKind.of(s, shape)).toList(),
        fold.publish() != null,
        fold.destination().type() != shape.element());
  }
}
