package org.allreducelab.harness;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A checkout with the real {@code lab} script, a Maven that only notes its arguments and writes a
 * jar, and JDKs whose {@code java} prints its arguments, one a line.
 */
final class FakeCheckout {
  /** The arguments with which the script has Maven build the jar. */
  static final String BUILD = "-B -q -Dmaven.test.skip=true package -pl harness -am";

  private static final long DEADLINE_SECONDS = 60;

  private static final String MESA_CACHE =
      "harness/src/main/resources/org/allreducelab/harness/bundle/mesa-cache.sh";

  private static final String MAVEN =
      """
      #!/bin/sh
      echo "$@" >>maven.calls
      mkdir -p harness/target
      eval "${FAKE_MAVEN:-}"
      echo jar >harness/target/lab.jar
      """;

  private static final String JAVA =
      """
      #!/bin/sh
      [ -z "${FAKE_JAVA:-}" ] || eval "$FAKE_JAVA"
      printf '%s\\n' "$@"
      """;

  /** The script's tools, for a search path without any Java and without flock. */
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "cat",
          "dirname",
          "env",
          "find",
          "grep",
          "head",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sh",
          "sleep",
          "tail",
          "touch",
          "awk",
          "id",
          "mktemp",
          "tar");

  /** What one call of the script did. */
  record Outcome(long pid, int status, List<String> out, List<String> err) {}

  final Path root;
  final Path jvms;
  final Map<String, String> environment = new HashMap<>();
  private final Path temp;

  FakeCheckout(Path temp) throws IOException {
    this.temp = temp;
    root = temp.resolve("check out");
    jvms = Files.createDirectories(temp.resolve("jvms"));
    Path module = Path.of(System.getProperty("basedir", ""));
    script(root.resolve("lab"), Files.readString(module.resolve("../lab")));
    script(
        root.resolve("harness/setup/drivers.sh"),
        Files.readString(module.resolve("setup/drivers.sh")));
    write(root.resolve(MESA_CACHE), Files.readString(module.resolve("..").resolve(MESA_CACHE)));
    script(root.resolve("mvnw"), MAVEN);
    for (String file :
        List.of(
            "pom.xml",
            ".mvn/jvm.config",
            "harness/pom.xml",
            "algorithms/src/main/java/Ring.java",
            "algorithms/src/test/java/RingTest.java",
            "backends/cpu/pom.xml",
            "backends/cpu/src/main/java/Cpu.java")) {
      write(root.resolve(file), "");
    }
    try (var files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
      }
    }
    environment.put("PATH", toolsOnly());
    environment.put("LAB_JVM_DIR", jvms.toString());
    environment.put("XDG_CACHE_HOME", temp.resolve("cache").toString());
  }

  /** Adds a JDK to the folder of JDKs; {@code version} is what its release file says. */
  Path jdk(String version) throws IOException {
    Path jdk = jre(version);
    script(jdk.resolve("bin/javac"), JAVA);
    return jdk;
  }

  /** The same without a compiler. */
  Path jre(String version) throws IOException {
    Path jre = jvms.resolve("java-" + version);
    script(jre.resolve("bin/java"), JAVA);
    write(jre.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    return jre;
  }

  /** Puts a program on the search path, before the machine's; {@code text} is its shell script. */
  void program(String name, String text) throws IOException {
    script(temp.resolve("bin").resolve(name), "#!/bin/sh\n" + text);
  }

  /** Puts the machine's flock on the search path. */
  void withFlock() throws IOException {
    tool("flock");
  }

  Outcome lab(String... arguments) {
    return finish(start(root.resolve("lab"), root, arguments));
  }

  Process start(Path script, Path directory, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(script.toString());
    command.addAll(List.of(arguments));
    try {
      ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      return builder.redirectInput(new File("/dev/null")).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Outcome finish(Process process) {
    try (var out = process.inputReader();
        var err = process.errorReader()) {
      // The script prints far less than a pipe holds, so waiting first cannot block it.
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new AssertionError("lab still runs after " + DEADLINE_SECONDS + " s");
      }
      return new Outcome(
          process.pid(), process.exitValue(), out.lines().toList(), err.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while lab ran", e);
    }
  }

  /** The arguments of each Maven call, oldest first. */
  List<String> mavenCalls() throws IOException {
    Path calls = root.resolve("maven.calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  /** Makes a file newer than all others. */
  void edit(String file) throws IOException {
    Files.setLastModifiedTime(root.resolve(file), FileTime.from(Instant.now().plusSeconds(5)));
  }

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void script(Path file, String text) throws IOException {
    write(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException("cannot make executable: " + file);
    }
  }

  private String toolsOnly() throws IOException {
    for (String tool : TOOLS) {
      tool(tool);
    }
    return temp.resolve("bin").toString();
  }

  private void tool(String name) throws IOException {
    Path bin = Files.createDirectories(temp.resolve("bin"));
    for (String directory : System.getenv("PATH").split(":", -1)) {
      Path file = Path.of(directory, name);
      if (Files.isExecutable(file)) {
        script(bin.resolve(name), "#!/bin/sh\nexec " + file + " \"$@\"\n");
        return;
      }
    }
    throw new AssertionError("this test needs " + name + " on the search path");
  }
}
