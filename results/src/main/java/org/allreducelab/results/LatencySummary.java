package org.allreducelab.results;

import org.HdrHistogram.AbstractHistogram;

/**
 * Percentiles of a latency histogram in nanoseconds.
 *
 * <p>A percentile is the largest value that the histogram cannot tell from the recorded one, so it
 * never flatters: with three significant digits it is at most 0.1 % too high.
 *
 * @param samples number of recorded values
 * @param minNs smallest value
 * @param meanNs arithmetic mean
 * @param p50Ns median
 * @param p90Ns 90 % of the values are at most this
 * @param p99Ns 99 %
 * @param p999Ns 99.9 %
 * @param maxNs largest value
 */
public record LatencySummary(
    long samples,
    long minNs,
    double meanNs,
    long p50Ns,
    long p90Ns,
    long p99Ns,
    long p999Ns,
    long maxNs) {

  /**
   * @throws IllegalArgumentException if there are no samples or the percentiles are out of order
   */
  public LatencySummary {
    if (samples < 1) {
      throw new IllegalArgumentException("samples must be at least 1, not " + samples);
    }
    if (!(0 <= minNs && minNs <= p50Ns && p50Ns <= p90Ns && p90Ns <= p99Ns && p99Ns <= p999Ns)
        || p999Ns > maxNs) {
      throw new IllegalArgumentException("percentiles must not fall and not be negative");
    }
  }

  /**
   * Summarises a histogram of nanoseconds.
   *
   * @throws IllegalArgumentException if the histogram is empty
   */
  public static LatencySummary of(AbstractHistogram latencyNs) {
    return new LatencySummary(
        latencyNs.getTotalCount(),
        latencyNs.getMinValue(),
        latencyNs.getMean(),
        latencyNs.getValueAtPercentile(50),
        latencyNs.getValueAtPercentile(90),
        latencyNs.getValueAtPercentile(99),
        latencyNs.getValueAtPercentile(99.9),
        latencyNs.getMaxValue());
  }
}
