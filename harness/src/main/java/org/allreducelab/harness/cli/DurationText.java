package org.allreducelab.harness.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as users type them: {@code 10s}, {@code 500ms}, {@code 2min}. */
public final class DurationText {
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ns|us|ms|s|min)");

  /** Almost three centuries. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private DurationText() {}

  /**
   * Reads a time.
   *
   * @throws UsageException if it is malformed, zero, or more nanoseconds than a long holds
   */
  public static Duration parse(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw new UsageException(
          "malformed time '"
              + text
              + "'; expected a positive number with ns, us, ms, s or min: 10s, 500ms");
    }
    long amount = Long.parseLong(matcher.group(1));
    Duration time = duration(amount, matcher.group(2));
    if (time.compareTo(LONGEST) > 0) {
      throw new UsageException(
          "the time '" + text + "' is too long; at most " + LONGEST.toMinutes() + "min");
    }
    return time;
  }

  /**
   * Reads a time that may also be {@code 0}, without a unit.
   *
   * @throws UsageException if it is malformed
   */
  public static Duration parseOrZero(String text) {
    return text.equals("0") ? Duration.ZERO : parse(text);
  }

  private static Duration duration(long amount, String unit) {
    return switch (unit) {
      case "ns" -> Duration.ofNanos(amount);
      case "us" -> Duration.ofNanos(amount * 1000);
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      default -> Duration.ofMinutes(amount);
    };
  }

  /** The shortest way to type it. */
  public static String format(Duration time) {
    if (time.toNanos() % 1000 != 0) {
      return time.toNanos() + "ns";
    }
    if (time.toNanos() % 1_000_000 != 0) {
      return time.toNanos() / 1000 + "us";
    }
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }
}
