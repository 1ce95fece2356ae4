package org.allreducelab.harness.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.allreducelab.harness.cli.Revision;

/** Where runs go that were given no folder. */
final class RunFolders {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private RunFolders() {}

  /**
   * {@code results/runs/<UTC time>-<suite>} in the checkout; without one in {@code lab-runs} here,
   * or in the temporary folder when this folder cannot be written: a bundle may lie on a read-only
   * file system.
   */
  static Path fresh(String suite, Clock clock) {
    return runs(Path.of("")).resolve(TIME.format(clock.instant()) + "-" + suite);
  }

  static Path runs(Path here) {
    return Revision.checkout()
        .map(checkout -> checkout.resolve("results").resolve("runs"))
        .orElseGet(
            () ->
                (Files.isWritable(here.toAbsolutePath()) ? here : temporary()).resolve("lab-runs"));
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }
}
