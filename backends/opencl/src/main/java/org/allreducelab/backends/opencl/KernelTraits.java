package org.allreducelab.backends.opencl;

import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldVariant;

/**
 * What the text of kernels depends on besides the fold.
 *
 * @param soft whether sums of subnormal values need integer arithmetic, since the device flushes
 *     them
 * @param chunked whether a work item takes consecutive blocks and is a group of its own: what suits
 *     processors; on GPUs neighbouring work items take neighbouring blocks
 */
record KernelTraits(boolean soft, boolean chunked) {
  static KernelTraits of(Device device, boolean soft) {
    return new KernelTraits(soft, device.facts().isCpu());
  }

  /** For people. */
  String label() {
    return soft ? "soft-subnormals" : "native-f32";
  }

  /**
   * Whether kernels read their variant's word from the record, and are not specialised: where
   * compiling costs more than running.
   */
  boolean readsWord(FoldShape shape) {
    return chunked && shape.operands() <= FoldVariant.MOST_IN_A_WORD;
  }
}
