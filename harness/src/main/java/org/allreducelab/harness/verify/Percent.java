package org.allreducelab.harness.verify;

import java.util.Locale;
import org.allreducelab.harness.cli.Table;

/** Shares as people read them. */
final class Percent {
  private Percent() {}

  /** For a table: a plain number, unrounded, for programs; 0 of nothing. */
  static Table.Cell cell(long part, long whole) {
    return new Table.Cell(whole == 0 ? 0.0 : 100.0 * part / whole, of(part, whole));
  }

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
