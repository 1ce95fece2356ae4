package org.allreducelab.harness.cli;

import java.util.List;
import org.allreducelab.algorithms.numerics.Precision;

/** Which vector sizes to run; may depend on the number of ranks and the element type. */
@FunctionalInterface
public interface Sizes {
  /**
   * Element counts, ≥ 0, each once, in the order to run them.
   *
   * @throws UsageException if a size in bytes is no multiple of the element size
   */
  List<Integer> counts(int ranks, Precision precision);
}
