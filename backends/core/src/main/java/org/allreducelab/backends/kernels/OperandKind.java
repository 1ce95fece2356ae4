package org.allreducelab.backends.kernels;

import org.allreducelab.backends.lowering.Source;
import org.allreducelab.backends.lowering.Space;

/** Where a kernel's operand comes from and in which type. */
public enum OperandKind {
  /** In the element type. */
  ELEMENT(0),
  /** In the wire type, where that is another one. */
  WIRE(1),
  /** −0, in no memory. */
  NEGATIVE_ZERO(2),
  /** In the element type, rounded to the wire type as it enters the fold. */
  ELEMENT_THROUGH_WIRE(3);

  private final int constant;

  OperandKind(int constant) {
    this.constant = constant;
  }

  /** How kernels name it. */
  public int constant() {
    return constant;
  }

  static OperandKind of(Source source, FoldShape shape) {
    if (source.region().space() == Space.NEGATIVE_ZERO) {
      return NEGATIVE_ZERO;
    }
    if (source.throughWire()) {
      return ELEMENT_THROUGH_WIRE;
    }
    return source.region().type() == shape.element() ? ELEMENT : WIRE;
  }
}
