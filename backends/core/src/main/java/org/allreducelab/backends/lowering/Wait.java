package org.allreducelab.backends.lowering;

/**
 * A wait for a rank's progress.
 *
 * @param rank whose progress
 * @param value how many of that rank's submissions of this invocation must have completed, ≥ 1
 */
public record Wait(int rank, int value) {}
