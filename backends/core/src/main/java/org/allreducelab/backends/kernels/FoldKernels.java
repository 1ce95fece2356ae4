package org.allreducelab.backends.kernels;

import java.util.List;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Region;

/**
 * A device's fold kernels, and how they name memory.
 *
 * @param <B> a kernel together with the memory that one dispatch of it reaches
 */
public interface FoldKernels<B extends FoldKernels.Binding> {

  /** How many steps of a fold make a work group worth starting. */
  int stepsPerGroup();

  /**
   * The kernel of a variant for these folds.
   *
   * @param reader the rank that executes them
   */
  B bind(int reader, FoldVariant variant, List<Fold> folds);

  /** A kernel and the memory of its dispatch. */
  interface Binding {
    /**
     * What names a region's first element in fold records: a multiple of 16 exactly where the
     * element lies at a multiple of 16 bytes.
     */
    long address(Region region);
  }
}
