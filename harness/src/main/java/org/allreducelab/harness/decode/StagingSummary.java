package org.allreducelab.harness.decode;

import java.util.List;

/**
 * What became of staging memory during some steps.
 *
 * @param reallocations buffers that changed, per pass of the trace, all ranks together
 * @param reallocationNs time that took, likewise
 * @param rerecordings collectives recorded again, likewise
 * @param rerecordingNs time that took, likewise
 * @param meanResidentBytes kept by the rank that keeps most: mean over the steps
 * @param peakResidentBytes the most of them
 */
record StagingSummary(
    double reallocations,
    double reallocationNs,
    double rerecordings,
    double rerecordingNs,
    double meanResidentBytes,
    long peakResidentBytes) {

  static StagingSummary of(List<StepSample> steps, long passes) {
    double reallocations = 0;
    double reallocationNs = 0;
    double rerecordings = 0;
    double rerecordingNs = 0;
    for (StepSample s : steps) {
      reallocations += s.staging().reallocations();
      reallocationNs += s.staging().reallocationNs();
      rerecordings += s.staging().rerecordings();
      rerecordingNs += s.staging().rerecordingNs();
    }
    return new StagingSummary(
        reallocations / passes,
        reallocationNs / passes,
        rerecordings / passes,
        rerecordingNs / passes,
        steps.stream().mapToLong(s -> s.staging().residentBytes()).average().orElse(0),
        steps.stream().mapToLong(s -> s.staging().residentBytes()).max().orElse(0));
  }
}
