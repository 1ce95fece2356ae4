package org.allreducelab.harness.cli;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds a value of a closed set by the name users type. */
final class Names {
  private Names() {}

  /**
   * The value of that name.
   *
   * @throws UsageException if there is none of that name; the message lists the known ones
   */
  static <T> T find(String kind, List<T> values, Function<T, String> name, String text) {
    for (T value : values) {
      if (name.apply(value).equals(text)) {
        return value;
      }
    }
    throw new UsageException(
        "unknown "
            + kind
            + " '"
            + text
            + "'; known: "
            + values.stream().map(name).collect(Collectors.joining(", ")));
  }
}
