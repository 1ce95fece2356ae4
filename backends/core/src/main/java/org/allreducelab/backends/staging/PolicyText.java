package org.allreducelab.backends.staging;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers and sizes in the names of policies. */
final class PolicyText {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})(B|KiB|MiB|GiB)?");
  private static final String[] UNITS = {"GiB", "MiB", "KiB"};

  private PolicyText() {}

  static long requireAtLeast(String policy, String what, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          policy + ": the " + what + " must be at least " + least + ", not " + value);
    }
    return value;
  }

  /** A whole number from 1 on. */
  static long number(String policy, String text) {
    if (!text.matches("\\d{1,9}")) {
      throw new IllegalArgumentException(
          policy + ": '" + text + "' is no whole number; write for instance " + policy + ":8");
    }
    return Long.parseLong(text);
  }

  /** A size such as {@code 4096}, {@code 64KiB}, {@code 1MiB}. */
  static long size(String policy, String text) {
    Matcher m = SIZE.matcher(text);
    if (!m.matches()) {
      throw new IllegalArgumentException(
          policy + ": '" + text + "' is no size; write for instance " + policy + ":64KiB");
    }
    String unit = m.group(2);
    int shift = unit == null || unit.equals("B") ? 0 : 10 * (3 - indexOf(unit));
    return Math.multiplyExact(Long.parseLong(m.group(1)), 1L << shift);
  }

  /** The shortest way to write a size. */
  static String bytes(long size) {
    for (String unit : UNITS) {
      long scale = 1L << (10 * (3 - indexOf(unit)));
      if (size % scale == 0) {
        return size / scale + unit;
      }
    }
    return Long.toString(size);
  }

  private static int indexOf(String unit) {
    return java.util.List.of(UNITS).indexOf(unit);
  }
}
