package org.allreducelab.harness.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes a bundle from the jar that this build has just shaded, and uses it as its users do:
 * unpacked, without write permission, under an empty environment, and by another user where this
 * one is root (whom no permission stops).
 */
@EnabledOnOs(
    value = OS.LINUX,
    architectures = "amd64",
    disabledReason = "lab bundle works on Linux x86-64 only")
class BundleIT {
  private static final long LIMIT_S = 300;
  private static final String NOBODY = "65534";

  @TempDir static Path temp;
  private static Path home;
  private static String made;

  record End(int code, String out, String err) {}

  @BeforeAll
  static void bundle() throws Exception {
    Path jar = Path.of(System.getProperty("lab.jar", "lab.jar"));
    assertThat(jar).as("the shaded jar, which the package phase makes").isRegularFile();
    // Others must get through it to what is inside.
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path archive = temp.resolve("lab.tar.xz");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    End end = run(temp, java, "-jar", jar.toString(), "bundle", "-o", archive.toString());
    assertThat(end.code()).as(end.err()).isZero();
    made = end.out();
    assertThat(Files.size(archive)).isBetween(5_000_000L, 45_000_000L);
    try (Stream<Path> files = Files.list(temp)) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith(".lab"))).isEmpty();
    }

    assertThat(run(temp, "tar", "-xJf", archive.toString()).code()).isZero();
    home = temp.resolve("allreduce-lab");
    assertThat(run(temp, "chmod", "-R", "a-w", home.toString()).code()).isZero();
  }

  @AfterAll
  static void allowDeletion() throws Exception {
    run(temp, "chmod", "-R", "u+w", temp.toString());
  }

  private static End run(Path folder, String... command) throws Exception {
    Path out = Files.createTempFile(temp, "out", ".txt");
    Path err = Files.createTempFile(temp, "err", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError(List.of(command) + " still runs after " + LIMIT_S + " s");
    }
    return new End(process.exitValue(), Files.readString(out), Files.readString(err));
  }

  private static End lab(Path folder, String... args) throws Exception {
    return labWithTemporary(writable("tmp"), folder, args);
  }

  /** Runs the bundle's lab under an empty environment but for {@code TMPDIR}. */
  private static End labWithTemporary(Path temporary, Path folder, String... args)
      throws Exception {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
    }
    command.addAll(List.of("env", "-i", "TMPDIR=" + temporary, home + "/lab"));
    command.addAll(List.of(args));
    return run(folder, command.toArray(String[]::new));
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(temp, "unix:uid").equals(0);
  }

  /** A folder that the user who runs the bundle may write. */
  private static Path writable(String name) throws IOException {
    Path folder = Files.createDirectories(temp.resolve(name));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    return folder;
  }

  @Test
  void saysWhatTheHostNeeds() {
    assertThat(made.lines().toList().get(1))
        .matches("The host needs Linux on x86-64 with glibc 2\\.\\d+ or newer.*\\.");
    assertThat(made).contains("MB, Java ", "libvulkan1", "allreduce-lab/lab bench");
  }

  @Test
  void verifies() throws Exception {
    End end = lab(home, "verify", "--ranks", "2", "--count", "9,1000");

    assertThat(end.err()).doesNotContain("WARNING");
    assertThat(end.out()).contains("EXACT");
    assertThat(end.code()).as(end.err()).isZero();
  }

  @Test
  void benchmarksInForksOnItsOwnJava() throws Exception {
    Path here = writable("here");
    End end = lab(here, "bench", "--suite", "smoke", "--ranks", "2", "--algorithms", "ring");

    assertThat(end.code()).as(end.err()).isZero();
    assertThat(end.out()).contains("ring");
    try (Stream<Path> runs = Files.list(here.resolve("lab-runs"))) {
      Path run = runs.findFirst().orElseThrow();
      assertThat(run.resolve("jmh.json"))
          .content()
          .contains("\"jvm\" : \"" + home.toRealPath().resolve("runtime/bin/java") + "\"");
    }
  }

  @Test
  void keepsRunsElsewhereWhereNothingCanBeWritten() throws Exception {
    End end = lab(home, "bench", "--suite", "smoke", "--ranks", "2", "--algorithms", "naive");

    assertThat(end.code()).as(end.err()).isZero();
    assertThat(end.err()).contains("saved in " + temp.resolve("tmp") + "/allreduce-lab-");
  }

  @Test
  void worksThroughALink() throws Exception {
    Path link =
        Files.createSymbolicLink(writable("links").resolve("lab link"), home.resolve("lab"));
    List<String> command = List.of("env", "-i", "TMPDIR=" + temp, link.toString(), "--version");
    End end = run(Path.of("/"), command.toArray(String[]::new));

    assertThat(end.out()).startsWith("lab ");
    assertThat(end.code()).as(end.err()).isZero();
  }

  @Test
  void hasNoTestsToRun() throws Exception {
    End end = lab(home, "test");

    assertThat(end.code()).isEqualTo(2);
    assertThat(end.err()).contains("needs the sources").hasLineCount(1);
  }

  @Test
  void refusesATemporaryFolderOfSomeoneElse() throws Exception {
    Path shared = writable("shared");
    Path elsewhere = Files.createDirectories(temp.resolve("elsewhere"));
    String user = isRoot() ? NOBODY : Files.getAttribute(temp, "unix:uid").toString();
    Files.createSymbolicLink(shared.resolve("allreduce-lab-" + user), elsewhere);
    End end = labWithTemporary(shared, home, "--version");

    assertThat(end.code()).isEqualTo(1);
    assertThat(end.err()).contains("point TMPDIR at").hasLineCount(1);
  }
}
