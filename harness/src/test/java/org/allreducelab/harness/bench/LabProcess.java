package org.allreducelab.harness.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.allreducelab.harness.Lab;
import org.allreducelab.harness.SimulatedBackend;

/**
 * The lab in a JVM of its own, as a user starts it, with the class path of the tests and {@link
 * SimulatedBackend} among its backends.
 */
final class LabProcess {
  private static final long LIMIT_S = 120;

  private final Process process;
  private final Path out;
  private final Path err;

  /** How it ended. */
  record End(int code, String out, String err) {}

  private LabProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts it.
   *
   * @param folder for its output and temporary files
   */
  static LabProcess start(Path folder, String... args) throws IOException {
    return start(folder, List.of(), args);
  }

  /** As {@link #run}, where no file can grow beyond a size: as on a disk that is full then. */
  static End runWithFilesUpTo(int kib, Path folder, String... args)
      throws IOException, InterruptedException {
    String limited = "ulimit -f " + kib + "; exec \"$@\"";
    return start(folder, List.of("bash", "-c", limited, "bash"), args).end();
  }

  private static LabProcess start(Path folder, List<String> before, String... args)
      throws IOException {
    Path services = Path.of("src", "test", "resources", "simulated-backend").toAbsolutePath();
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path") + File.pathSeparator + services);
    command.add("-Djava.io.tmpdir=" + folder);
    command.add("-Dallreducelab.vulkan.tellEnd=true");
    command.add(Lab.class.getName());
    command.addAll(List.of(args));
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new LabProcess(process, out, err);
  }

  static End run(Path folder, String... args) throws IOException, InterruptedException {
    return start(folder, args).end();
  }

  /** Ctrl-C. */
  void interrupt() throws IOException, InterruptedException {
    signal("INT");
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it has said on standard error so far. */
  String err() throws IOException {
    return Files.readString(err);
  }

  /** As a power cut: nothing of it runs any more. */
  void kill() throws InterruptedException {
    List<ProcessHandle> forks = process.descendants().toList();
    process.destroyForcibly().waitFor();
    forks.forEach(ProcessHandle::destroyForcibly);
  }

  /** The forked JVMs that run now. */
  List<ProcessHandle> forks() {
    return process.descendants().toList();
  }

  End end() throws IOException, InterruptedException {
    if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
      kill();
      throw new AssertionError("no end within " + LIMIT_S + " s: " + Files.readString(err));
    }
    return new End(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
