package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.allreducelab.algorithms.numerics.Precision;

/**
 * Precision presets as users type them: names, or {@code all}.
 *
 * @param values in the order typed, each once
 */
public record PrecisionList(List<Precision> values) {
  public PrecisionList {
    values = List.copyOf(values);
  }

  /**
   * Reads a list.
   *
   * @throws UsageException if a name is unknown; the message lists the known ones
   */
  public static PrecisionList parse(String text) {
    LinkedHashSet<Precision> precisions = new LinkedHashSet<>();
    for (String item : text.split(",", -1)) {
      if (item.strip().equals("all")) {
        precisions.addAll(Precision.presets());
      } else {
        precisions.add(preset(item.strip()));
      }
    }
    return new PrecisionList(new ArrayList<>(precisions));
  }

  /**
   * Refuses more ranks than a precision is defined for.
   *
   * @throws UsageException that says for how many it is
   */
  public static void requireDefined(Precision precision, int ranks) {
    if (!precision.supportsRanks(ranks)) {
      throw new UsageException(
          precision.name()
              + " is defined for at most "
              + precision.maxRanks()
              + " ranks, not "
              + ranks);
    }
  }

  private static Precision preset(String name) {
    try {
      return Precision.preset(name);
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage() + ", all", e);
    }
  }
}
