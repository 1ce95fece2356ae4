package org.allreducelab.results.store;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.allreducelab.results.ForkId;
import org.jspecify.annotations.Nullable;

/** A second JVM that creates or resumes a run and saves forks, saying each it has saved. */
final class WriterProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;

  private WriterProcess(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static WriterProcess start(Path folder, String createOrResume) throws IOException {
    return new WriterProcess(
        new ProcessBuilder(
                Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WriterProcess.class.getName(),
                folder.toString(),
                createOrResume)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** The next line that the process prints, null at its end. */
  @Nullable String readLine() throws IOException {
    return out.readLine();
  }

  /** Ends the process as a power cut would: no shutdown hook runs. */
  void kill() {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would close the output too
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        throw new AssertionError("the killed process is still there");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    kill();
  }

  /** Saves every pending fork and says so. */
  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    try (RunStore store =
        args[1].equals("create")
            ? SampleRun.create(folder, RunStoreKillTest.FORKS)
            : RunStore.resume(folder, SampleRun.environment())) {
      System.out.println("open");
      for (ForkId fork : store.pending()) {
        SampleRun.save(store, fork.caseId(), fork.index(), 100);
        System.out.println(fork.caseId() + " " + fork.index());
      }
    }
  }
}
