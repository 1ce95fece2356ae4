package org.allreducelab.harness.bundle;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.allreducelab.harness.cli.UsageException;

/**
 * A program of this machine.
 *
 * @param file its executable
 */
record Program(Path file) {
  /** What a program printed, on both streams, and how it ended. */
  record Result(int status, String text) {}

  /** The program of that name in a search path such as {@code PATH}. */
  static Optional<Program> find(String name, String searchPath) {
    for (String folder : searchPath.split(File.pathSeparator, -1)) {
      Path file = Path.of(folder).resolve(name);
      if (!folder.isEmpty() && Files.isRegularFile(file) && Files.isExecutable(file)) {
        return Optional.of(new Program(file));
      }
    }
    return Optional.empty();
  }

  /**
   * The same, where the program must be there.
   *
   * @param remedy what to do otherwise
   * @throws UsageException if it is not there
   */
  static Program require(String name, String searchPath, String remedy) {
    return find(name, searchPath)
        .orElseThrow(() -> new UsageException("needs the program " + name + ": " + remedy));
  }

  List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(file.toString());
    command.addAll(arguments);
    return command;
  }

  /** Runs it to its end. */
  Result run(List<String> arguments) throws IOException {
    Process process = new ProcessBuilder(command(arguments)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Result(await(process), text);
  }

  /**
   * Runs it to its end.
   *
   * @throws BundleException if it fails; the message has the first line that it printed
   */
  void mustRun(List<String> arguments) throws IOException {
    Result result = run(arguments);
    if (result.status() != 0) {
      String first =
          result.text().lines().filter(line -> !line.startsWith("WARNING")).findFirst().orElse("");
      throw new BundleException(
          file + " failed with status " + result.status() + (first.isEmpty() ? "" : ": " + first));
    }
  }

  static int await(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new BundleException("interrupted");
    }
  }
}
