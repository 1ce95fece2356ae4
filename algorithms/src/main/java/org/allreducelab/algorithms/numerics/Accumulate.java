package org.allreducelab.algorithms.numerics;

/** In which type the fold of one combine is carried. */
public enum Accumulate {
  /** Round to the element type after every add. */
  EACH_ADD,
  /** Fold in f32 and narrow once, at the end of the combine. */
  F32
}
