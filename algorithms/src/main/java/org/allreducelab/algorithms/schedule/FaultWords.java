package org.allreducelab.algorithms.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/** Says in words which ranks are missing from a sum, and which are in it more than once. */
final class FaultWords {
  /** Enough to see a pattern; the rest is counted. */
  private static final int MAX_RANKS_NAMED = 8;

  private FaultWords() {}

  /**
   * @param occurrences by rank: how often it is in the sum
   */
  static String describe(long[] occurrences) {
    List<String> parts = new ArrayList<>();
    addPart(parts, occurrences, times -> times == 0, "missing");
    addPart(parts, occurrences, times -> times > 1, "more than once:");
    return String.join("; ", parts);
  }

  private static void addPart(
      List<String> parts, long[] occurrences, LongPredicate matches, String title) {
    List<String> named = new ArrayList<>();
    int found = 0;
    for (int rank = 0; rank < occurrences.length; rank++) {
      long times = occurrences[rank];
      if (!matches.test(times)) {
        continue;
      }
      if (found++ < MAX_RANKS_NAMED) {
        named.add(times > 1 ? rank + " (" + times + " times)" : Integer.toString(rank));
      }
    }
    if (found > 0) {
      String rest = found > MAX_RANKS_NAMED ? " and " + (found - MAX_RANKS_NAMED) + " more" : "";
      parts.add(title + (found == 1 ? " rank " : " ranks ") + String.join(", ", named) + rest);
    }
  }
}
