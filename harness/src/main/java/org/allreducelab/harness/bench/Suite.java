package org.allreducelab.harness.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A named set of cases and how to measure them, read from a small file ({@code docs/suites.md}).
 *
 * @param name the file's name without its ending; part of the run folder's name
 * @param description one sentence for {@code --suite list}
 * @param settings forks and iterations
 * @param options values of the shared command-line options by their names without dashes, in the
 *     file's order; a command line overrides them
 */
record Suite(String name, String description, ForkSettings settings, Map<String, Setting> options) {

  Suite {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * One value of a suite file, with its place for messages.
   *
   * @param value the text right of the equals sign
   * @param place {@code file:line}
   */
  record Setting(String value, String place) {}
}
