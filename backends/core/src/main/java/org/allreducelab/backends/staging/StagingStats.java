package org.allreducelab.backends.staging;

/**
 * Staging memory of a group, over all its local ranks where nothing else is said.
 *
 * @param residentBytes kept now
 * @param peakBytes the most ever kept at once
 * @param largestRankBytes kept now by the rank that keeps most: what is resident on its device
 * @param reallocations how often a buffer of a rank was allocated, or given back for good
 * @param reallocationNs time spent on that, in nanoseconds: waiting, freeing, allocating
 * @param rerecordings how often a collective was recorded again because of that
 * @param rerecordingNs time spent in recording again, in nanoseconds
 */
public record StagingStats(
    long residentBytes,
    long peakBytes,
    long largestRankBytes,
    long reallocations,
    long reallocationNs,
    long rerecordings,
    long rerecordingNs) {
  /** Nothing kept and nothing done. */
  public static final StagingStats NONE = new StagingStats(0, 0, 0, 0, 0, 0, 0);
}
