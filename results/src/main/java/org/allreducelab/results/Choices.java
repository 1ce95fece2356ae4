package org.allreducelab.results;

import org.jspecify.annotations.Nullable;

/**
 * How a case was executed; each is absent until the group has been opened and the choice is known.
 *
 * @param placement {@code physical}, {@code logical}, {@code queues} or {@code single-queue}
 * @param transport {@code direct} or {@code staged-host}
 * @param sync {@code native} or {@code proxy}
 * @param barrier {@code pairwise} or {@code relay}
 * @param kernel variant of the inner loop, for instance {@code vector-512} or {@code scalar}
 * @param memory {@code opaque-fd} or {@code dma-buf}: through which handle device memory was
 *     shared; absent where none was
 * @param queueFamily index of the queue family, of several devices joined with {@code +}; absent
 *     where there is no such thing
 * @param queues into how many queues the ranks of a device went; absent where they shared none
 */
public record Choices(
    @Nullable Choice placement,
    @Nullable Choice transport,
    @Nullable Choice sync,
    @Nullable Choice barrier,
    @Nullable Choice kernel,
    @Nullable Choice memory,
    @Nullable Choice queueFamily,
    @Nullable Choice queues) {

  /** Nothing chosen yet. */
  public static final Choices UNKNOWN = new Choices(null, null, null, null, null, null, null, null);
}
