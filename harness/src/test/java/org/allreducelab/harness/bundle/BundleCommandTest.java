package org.allreducelab.harness.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.allreducelab.harness.cli.OneLineErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code lab bundle} refuses; {@code BundleIT} tests what it makes. */
class BundleCommandTest {
  @TempDir Path temp;
  private final Map<String, String> environment = new HashMap<>(System.getenv());

  private void assertUsageError(String message, String... args) {
    StringWriter err = new StringWriter();
    CommandLine command =
        new CommandLine(new BundleCommand(environment))
            .setErr(new PrintWriter(err))
            .setParameterExceptionHandler(new OneLineErrors())
            .setExecutionExceptionHandler(new OneLineErrors());
    int code = command.execute(args);
    assertThat(err.toString()).contains(message).hasLineCount(1);
    assertThat(code).isEqualTo(2);
    assertThat(temp).isDirectoryNotContaining("glob:**/.lab-bundle*");
  }

  private String archive() {
    return temp.resolve("lab.tar.xz").toString();
  }

  private Path program(String name, String text) throws IOException {
    Path file = temp.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  @Test
  void needsAnOutput() {
    assertUsageError("-o");
  }

  @Test
  void knowsOneFormat() {
    assertUsageError("must end in .tar.xz", "-o", temp.resolve("lab.zip").toString());
  }

  @Test
  void needsAFolderForTheOutput() {
    assertUsageError(
        "there is no folder " + temp.resolve("no"), "-o", temp.resolve("no/lab.tar.xz").toString());
  }

  @Test
  void doesNotReplaceAFolder() throws IOException {
    Files.createDirectory(Path.of(archive()));
    assertUsageError("it is a folder", "-o", archive());
  }

  @Test
  void needsAFolderThatCanBeWritten() {
    // Not even root creates files there.
    assertUsageError("nothing can be created in /proc", "-o", "/proc/lab.tar.xz");
  }

  @Test
  void needsJlinkInTheJdkThatIsNamed() {
    assertUsageError("has no bin/jlink", "-o", archive(), "--jdk", temp.toString());
  }

  @Test
  void needsAJdkThatIsNewEnough() throws IOException {
    program("jdk/bin/jlink", "echo 11.0.2");
    assertUsageError(
        "is Java 11.0.2; --jdk takes a JDK 17", "-o", archive(), "--jdk", temp + "/jdk");
  }

  @Test
  void needsAJlinkThatRuns() throws IOException {
    program("jdk/bin/jlink", "exit 1");
    assertUsageError("does not run", "-o", archive(), "--jdk", temp + "/jdk");
  }

  @Test
  void needsXz() throws IOException {
    program("bin/tar", "exit 1");
    environment.put("PATH", temp.resolve("bin").toString());
    assertUsageError("needs the program xz: install it", "-o", archive());
  }

  @Test
  void isMadeFromAJar() {
    assertUsageError("runs from its class files", "-o", archive());
  }
}
