package org.allreducelab.harness.decode;

import org.allreducelab.backends.staging.StagingStats;

/**
 * What became of staging memory during a step, all ranks together where nothing else is said.
 *
 * @param reallocations buffers that changed
 * @param reallocationNs time it took
 * @param rerecordings collectives recorded again
 * @param rerecordingNs time it took
 * @param residentBytes what the rank that keeps most has after the step
 */
record StagingChange(
    long reallocations,
    long reallocationNs,
    long rerecordings,
    long rerecordingNs,
    long residentBytes) {
  static StagingChange between(StagingStats before, StagingStats after) {
    return new StagingChange(
        after.reallocations() - before.reallocations(),
        after.reallocationNs() - before.reallocationNs(),
        after.rerecordings() - before.rerecordings(),
        after.rerecordingNs() - before.rerecordingNs(),
        after.largestRankBytes());
  }
}
