package org.allreducelab.backends.staging;

/**
 * Staging memory of a group, over all its local ranks.
 *
 * @param residentBytes kept now
 * @param peakBytes the most ever kept at once
 * @param reallocations how often a rank's capacity changed
 * @param reallocationNs time spent in changing it, in nanoseconds: waiting, freeing, allocating
 * @param rerecordings how often a collective was recorded again because of that
 * @param rerecordingNs time spent in recording again, in nanoseconds
 */
public record StagingStats(
    long residentBytes,
    long peakBytes,
    long reallocations,
    long reallocationNs,
    long rerecordings,
    long rerecordingNs) {}
