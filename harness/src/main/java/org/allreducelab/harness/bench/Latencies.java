package org.allreducelab.harness.bench;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The histogram that every sample goes into: nanoseconds, three significant digits, to an hour. */
public final class Latencies {
  private static final long HIGHEST_NS = TimeUnit.HOURS.toNanos(1);
  private static final int SIGNIFICANT_DIGITS = 3;

  private Latencies() {}

  public static Histogram newHistogram() {
    return new Histogram(HIGHEST_NS, SIGNIFICANT_DIGITS);
  }
}
