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
   * @param searchPath where jlink's own tools may be
   * @throws BundleException if jlink fails
   */
  static void link(Jdk jdk, Path folder, String searchPath) throws IOException {
    List<String> modules = new ArrayList<>(MODULES);
    if (jdk.has(VECTOR_MODULE)) {
      modules.add(VECTOR_MODULE);
    }
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--add-modules", String.join(",", modules)));
    arguments.addAll(
        options(jdk.version().feature(), Program.find("objcopy", searchPath).isPresent()));
    arguments.addAll(List.of("--output", folder.toString()));
    jdk.jlink().mustRun(arguments);
  }

  /**
   * What keeps the runtime small.
   *
   * @param objcopy whether there is that program, without which some JDKs strip no native library
   */
  static List<String> options(int feature, boolean objcopy) {
    return List.of(
        objcopy ? "--strip-debug" : "--strip-java-debug-attributes",
        "--no-header-files",
        "--no-man-pages",
        // Uncompressed: xz does better on the whole archive. JDK 21 renamed the levels.
        "--compress",
        feature >= 21 ? "zip-0" : "0");
  }
}
