package org.allreducelab.backends;

import org.jspecify.annotations.Nullable;

/**
 * What a group runs with, each with its reason.
 *
 * @param kernels the variant of the inner loops, for instance {@code vector-512} or {@code scalar}
 * @param memory through which handle device memory is shared; null where none is
 * @param queueFamily index of the queue family, of several devices joined with {@code +}; null
 *     where there are no such families
 * @param queues into how many queues the ranks of a device go; null where they do not share one
 */
public record Choices(
    Choice<Placement> placement,
    Choice<Transport> transport,
    Choice<Sync> sync,
    Choice<Barrier> barrier,
    Choice<String> kernels,
    @Nullable Choice<SharedMemory> memory,
    @Nullable Choice<String> queueFamily,
    @Nullable Choice<String> queues) {

  /** The choices of a backend that has none of its own. */
  public Choices(
      Choice<Placement> placement,
      Choice<Transport> transport,
      Choice<Sync> sync,
      Choice<Barrier> barrier,
      Choice<String> kernels) {
    this(placement, transport, sync, barrier, kernels, null, null, null);
  }
}
