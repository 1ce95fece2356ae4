package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.allreducelab.harness.Lavapipe;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.RunStatus;
import org.allreducelab.results.store.RunFolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A signal ends a command that uses a driver in order: with the signal's exit code, the driver
 * given back by the thread that used it, and no word of a crash.
 */
@Tag("vulkan")
class SignalTest {
  @TempDir private Path folder;
  private String device = "";

  @BeforeEach
  void findLavapipe() {
    device = Lavapipe.idFor(SignalTest.class);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void verify(String signal, int code) throws Exception {
    LabProcess lab = LabProcess.start(folder, "verify", "--full", "--devices", device);
    // Kernels are being compiled, groups opened and closed, and cases run.
    Thread.sleep(6000);
    requireOrderlyEnd(lab, signal, code);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void bench(String signal, int code) throws Exception {
    Path run = folder.resolve("run");
    LabProcess lab =
        LabProcess.start(
            folder, "bench", "--suite", "smoke", "--devices", device, "--out", run.toString());
    waitForFork(run);
    List<ProcessHandle> forks = lab.forks();
    LabProcess.End end = requireOrderlyEnd(lab, signal, code);
    assertThat(end.err()).contains("interrupted; kept in " + run);
    assertThat(forks).noneMatch(ProcessHandle::isAlive);
    RunRecord record = new RunFolder(run).read();
    assertThat(record.status()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(record.done()).isNotEmpty();
    assertThat(Files.readString(run.resolve("jmh.log"))).doesNotContain("SIGSEGV");
  }

  /** Until a fork is on disk and the next one is under way. */
  private static void waitForFork(Path run) throws Exception {
    for (int i = 0; i < 1200; i++) {
      if (Files.exists(run.resolve("run.json")) && !new RunFolder(run).read().done().isEmpty()) {
        Thread.sleep(2000);
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("no fork was done within a minute");
  }

  private LabProcess.End requireOrderlyEnd(LabProcess lab, String signal, int code)
      throws Exception {
    assertThat(lab.isAlive()).as("still busy: %s", lab.err()).isTrue();
    lab.signal(signal);
    LabProcess.End end = lab.end();
    assertThat(end.code()).as(end.err()).isEqualTo(code);
    assertThat(end.err())
        .contains("interrupted", "vulkan: instance destroyed by thread main")
        .doesNotContain("Exception", "driver-exit", "SIGSEGV");
    try (Stream<Path> left = Files.walk(folder)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith("hs_err") || name.startsWith("core"));
    }
    return end;
  }
}
