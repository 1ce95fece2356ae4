package org.allreducelab.harness.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.allreducelab.harness.cli.UsageException;

/**
 * A JDK that can link runtimes.
 *
 * @param home its folder
 * @param version of Java
 */
record Jdk(Path home, Runtime.Version version) {
  private static final int MIN_FEATURE = 17;
  private static final String DEFAULT_FOLDER_OF_JDKS = "/usr/lib/jvm";

  /**
   * The JDK in a folder.
   *
   * @throws UsageException if there is none with jlink, or it is too old
   */
  static Jdk at(Path home) throws IOException {
    if (!Files.isExecutable(jlink(home))) {
      throw new UsageException(
          home + " has no bin/jlink; --jdk takes the folder of a JDK (not of a JRE)");
    }
    Jdk jdk =
        probe(home)
            .orElseThrow(() -> new UsageException(jlink(home) + " does not run on this machine"));
    if (jdk.version().feature() < MIN_FEATURE) {
      throw new UsageException(
          home + " is Java " + jdk.version() + "; --jdk takes a JDK " + MIN_FEATURE + " or newer");
    }
    return jdk;
  }

  /**
   * The newest JDK where the launcher looks for one: {@code JAVA_HOME}, {@code PATH}, the folders
   * in {@code LAB_JVM_DIR}; and the one that this program runs on.
   *
   * @throws UsageException if none has jlink
   */
  static Jdk newest(Map<String, String> environment) throws IOException {
    Set<Path> seen = new HashSet<>();
    List<Jdk> jdks = new ArrayList<>();
    for (Path candidate : candidates(environment)) {
      if (Files.isExecutable(jlink(candidate)) && seen.add(candidate.toRealPath())) {
        probe(candidate).filter(jdk -> jdk.version().feature() >= MIN_FEATURE).ifPresent(jdks::add);
      }
    }
    return jdks.stream()
        .max(Comparator.comparing(Jdk::version))
        .orElseThrow(
            () ->
                new UsageException(
                    "needs a JDK "
                        + MIN_FEATURE
                        + " or newer with jlink, found none; install one (Debian/Ubuntu: apt-get"
                        + " install openjdk-17-jdk-headless) or name one with --jdk DIR"));
  }

  private static List<Path> candidates(Map<String, String> environment) throws IOException {
    List<Path> candidates = new ArrayList<>();
    path(environment.getOrDefault("JAVA_HOME", "")).ifPresent(candidates::add);
    Optional<Program> onPath = Program.find("jlink", environment.getOrDefault("PATH", ""));
    if (onPath.isPresent()) {
      Path bin = onPath.get().file().toRealPath().getParent();
      path(bin + "/..").ifPresent(candidates::add);
    }
    path(System.getProperty("java.home")).ifPresent(candidates::add);
    Path folder = Path.of(environment.getOrDefault("LAB_JVM_DIR", DEFAULT_FOLDER_OF_JDKS));
    if (Files.isDirectory(folder)) {
      try (Stream<Path> jdks = Files.list(folder)) {
        jdks.sorted().forEach(candidates::add);
      }
    }
    return candidates;
  }

  private static Optional<Path> path(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text).normalize());
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<Jdk> probe(Path home) throws IOException {
    Program.Result result = new Program(jlink(home)).run(List.of("--version"));
    if (result.status() != 0) {
      return Optional.empty();
    }
    try {
      // Warnings about the environment (JDK_JAVA_OPTIONS) come first.
      String last = result.text().lines().reduce("", (first, second) -> second);
      return Optional.of(new Jdk(home, Runtime.Version.parse(last.strip())));
    } catch (IllegalArgumentException noVersion) {
      return Optional.empty();
    }
  }

  private static Path jlink(Path home) {
    return home.resolve("bin").resolve("jlink");
  }

  Program jlink() {
    return new Program(jlink(home));
  }

  /** Whether it has that module. */
  boolean has(String module) throws IOException {
    Program java = new Program(home.resolve("bin").resolve("java"));
    return java.run(List.of("--list-modules"))
        .text()
        .lines()
        .anyMatch(line -> line.startsWith(module + "@"));
  }
}
