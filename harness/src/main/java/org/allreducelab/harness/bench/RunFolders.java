package org.allreducelab.harness.bench;

import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Where runs go that were given no folder. */
final class RunFolders {
  /** Set by the launcher: the checkout that the lab was started from. */
  private static final String HOME_PROPERTY = "allreducelab.home";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private RunFolders() {}

  /** The checkout, or null where the lab runs from none. */
  static @Nullable Path checkout() {
    String home = System.getProperty(HOME_PROPERTY);
    return home == null ? null : Path.of(home);
  }

  /** {@code results/runs/<UTC time>-<suite>} in the checkout, or in {@code lab-runs} here. */
  static Path fresh(String suite, Clock clock) {
    Path home = checkout();
    Path runs = home == null ? Path.of("lab-runs") : home.resolve("results").resolve("runs");
    return runs.resolve(TIME.format(clock.instant()) + "-" + suite);
  }
}
