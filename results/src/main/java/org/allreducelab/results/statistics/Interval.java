package org.allreducelab.results.statistics;

/**
 * An estimate and its confidence interval.
 *
 * @param low lower end
 * @param estimate the value for the samples as they are
 * @param high upper end
 */
public record Interval(double low, double estimate, double high) {

  /** Whether the value lies in the interval, its ends included. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
