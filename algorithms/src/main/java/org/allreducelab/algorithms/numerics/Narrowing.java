package org.allreducelab.algorithms.numerics;

/** How a value becomes the (narrower) wire type. */
public enum Narrowing {
  /** Round to nearest, ties to even. */
  RNE,
  /** Drop the low bits: toward zero. */
  TRUNCATE
}
