package org.allreducelab.algorithms.numerics;

/** Whether a rank's own operand passes the wire type too, as its peers' operands do. */
public enum OwnOperand {
  /** Own values are narrowed like everybody's: ranks agree. */
  WIRE,
  /** Own values stay exact: with a narrower wire, ranks differ. */
  EXACT
}
