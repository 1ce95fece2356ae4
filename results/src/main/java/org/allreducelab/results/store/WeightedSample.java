package org.allreducelab.results.store;

import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * A sample whose values may occur many times, and the statistics that JMH reports of it.
 *
 * <p>Percentiles interpolate linearly at position p·(n+1), as Commons Math's default and JMH do.
 * With no values every statistic is NaN.
 */
final class WeightedSample {
  private final TreeMap<Double, Long> counts = new TreeMap<>();
  private long size;

  void add(double value, long count) {
    if (count > 0) {
      counts.merge(value, count, Long::sum);
      size += count;
    }
  }

  double sum() {
    double sum = 0;
    for (Map.Entry<Double, Long> e : counts.entrySet()) {
      sum += e.getKey() * e.getValue();
    }
    return size == 0 ? Double.NaN : sum;
  }

  double mean() {
    return sum() / size;
  }

  double min() {
    return size == 0 ? Double.NaN : counts.firstKey();
  }

  double max() {
    return size == 0 ? Double.NaN : counts.lastKey();
  }

  /** Half the width of Student's confidence interval of the mean; NaN for fewer than 3 values. */
  double meanError(double confidence) {
    if (size < 3) {
      return Double.NaN;
    }
    double mean = mean();
    double squares = 0;
    for (Map.Entry<Double, Long> e : counts.entrySet()) {
      double deviation = e.getKey() - mean;
      squares += deviation * deviation * e.getValue();
    }
    double quantile =
        new TDistribution(size - 1).inverseCumulativeProbability((1 + confidence) / 2);
    return quantile * Math.sqrt(squares / (size - 1) / size);
  }

  /** The value below which {@code percent} % of the sample lies. */
  double percentile(double percent) {
    double position = percent * (size + 1) / 100;
    long below = (long) Math.floor(position);
    if (size == 0 || below < 1) {
      return min();
    }
    if (below >= size) {
      return max();
    }
    double low = ranked(below);
    return low + (ranked(below + 1) - low) * (position - below);
  }

  private double ranked(long rank) {
    long seen = 0;
    for (Map.Entry<Double, Long> e : counts.entrySet()) {
      seen += e.getValue();
      if (seen >= rank) {
        return e.getKey();
      }
    }
    throw new AssertionError(rank + " of " + size);
  }
}
