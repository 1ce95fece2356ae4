package org.allreducelab.harness.bench;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A phase of a fork: how many JMH iterations of which length.
 *
 * @param count number of iterations, ≥ 0
 * @param time length of one iteration, a whole number of milliseconds, ≥ 1 ms
 */
public record Iterations(int count, Duration time) {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,4})x(\\d{1,7})(ms|s)");

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public Iterations {
    if (count < 0 || time.toMillis() < 1) {
      throw new IllegalArgumentException(
          "iterations need a count of at least 0 and a time of at least 1 ms");
    }
  }

  /**
   * Reads {@code 3x200ms} or {@code 5x1s}.
   *
   * @throws IllegalArgumentException if it is written otherwise
   */
  public static Iterations parse(String text) {
    Matcher m = TEXT.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is no number of iterations; write for instance 3x200ms or 5x1s");
    }
    long value = Long.parseLong(m.group(2));
    return new Iterations(
        Integer.parseInt(m.group(1)),
        m.group(3).equals("s") ? Duration.ofSeconds(value) : Duration.ofMillis(value));
  }

  /** Time of all iterations. */
  public Duration total() {
    return time.multipliedBy(count);
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return count + "x" + time.toMillis() + "ms";
  }
}
