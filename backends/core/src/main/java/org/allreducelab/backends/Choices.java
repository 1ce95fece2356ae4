package org.allreducelab.backends;

/**
 * What a group runs with, each with its reason.
 *
 * @param kernels the variant of the inner loops, for instance {@code vector-512} or {@code scalar}
 */
public record Choices(
    Choice<Placement> placement,
    Choice<Transport> transport,
    Choice<Sync> sync,
    Choice<Barrier> barrier,
    Choice<String> kernels) {}
