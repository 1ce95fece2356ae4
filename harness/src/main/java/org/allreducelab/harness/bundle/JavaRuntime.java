package org.allreducelab.harness.bundle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The trimmed Java runtime of a bundle. */
final class JavaRuntime {
  /** What the lab and its libraries use, JMH and its profilers included. */
  private static final List<String> MODULES =
      List.of("java.base", "java.logging", "java.management", "jdk.management", "jdk.unsupported");

  /** The CPU backend's fast loops; it has slower ones for a Java without this module. */
  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  private JavaRuntime() {}

  /**
   * Links a runtime.
   *
   * @param folder does not exist yet
   * @throws BundleException if jlink fails
   */
  static void link(Jdk jdk, Path folder) throws IOException {
    List<String> modules = new ArrayList<>(MODULES);
    if (jdk.has(VECTOR_MODULE)) {
      modules.add(VECTOR_MODULE);
    }
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--add-modules",
                String.join(",", modules),
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages"));
    // Uncompressed: xz does better on the whole archive. JDK 21 renamed the levels.
    arguments.addAll(List.of("--compress", jdk.version().feature() >= 21 ? "zip-0" : "0"));
    arguments.addAll(List.of("--output", folder.toString()));
    jdk.jlink().mustRun(arguments);
  }
}
