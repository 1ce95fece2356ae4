package org.allreducelab.harness.verify;

import java.util.Locale;

/** Shares as people read them. */
final class Percent {
  private Percent() {}

  /** {@code 0 %} only if it is none at all, {@code 100 %} only if it is all. */
  static String of(long part, long whole) {
    if (part == 0) {
      return "0 %";
    }
    if (part == whole) {
      return "100 %";
    }
    double percent = Math.min(99.9, Math.max(0.1, 100.0 * part / whole));
    return String.format(Locale.ROOT, "%.1f %%", percent);
  }
}
