package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.ForkStatus;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.RunStatus;
import org.allreducelab.results.Score;
import org.allreducelab.results.TimeParts;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.store.RunFolder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real runs: JMH, forked JVMs, a run folder; only the device is made up, but for one test. */
class BenchRunTest {
  /** More than an empty run of this suite needs, less than a finished one. */
  private static final int FULL_KIB = 5;

  @TempDir private Path folder = Path.of("");
  private Path run = Path.of("");

  @BeforeEach
  void chooseRunFolder() {
    run = folder.resolve("run");
  }

  private String suite(String... lines) throws IOException {
    Path file = folder.resolve("tiny.suite");
    String text =
        """
        description = tiny
        devices = fake:0
        ranks = 2
        bytes = 64
        baselines = false
        """;
    return Files.writeString(file, text + String.join("\n", lines) + "\n").toString();
  }

  private String quick(String... lines) throws IOException {
    return suite(String.join("\n", lines), "forks = 1", "warmup = 1x10ms", "measurement = 3x20ms");
  }

  /** Six forks of a second and more: time to disturb it. */
  private String slow() throws IOException {
    return suite(
        "algorithms = ring,naive", "forks = 3", "warmup = 1x50ms", "measurement = 1x300ms");
  }

  private RunRecord record() {
    return new RunFolder(run).read();
  }

  @Test
  void theFilesOfARunAgree() throws Exception {
    LabProcess.End end =
        LabProcess.run(
            folder,
            "bench",
            "--suite",
            quick("algorithms = ring"),
            "--out",
            run.toString(),
            "--seed",
            "42");

    assertThat(end.code()).as(end.err()).isZero();
    assertThat(end.err()).contains("1 case × 1 fork", "saved in " + run);
    RunRecord record = record();
    assertThat(record.status()).isEqualTo(RunStatus.COMPLETE);
    assertThat(record.suite().seed()).isEqualTo(42);
    CaseRecord c = record.cases().get(0);
    ForkRecord fork = c.forks().get(0);
    assertThat(fork.before()).isNotNull();
    assertThat(String.valueOf(fork.before())).contains(Verdict.EXACT.toString());
    assertThat(String.valueOf(fork.after())).contains(Verdict.EXACT.toString());
    assertThat(String.valueOf(c.choices().kernel())).contains("simulated", "only one");

    Map<String, Histogram> latencies = new RunFolder(run).latencies();
    assertThat(latencies).containsOnlyKeys(c.id());
    Histogram samples = latencies.values().iterator().next();
    assertThat(fork.latency()).isEqualTo(LatencySummary.of(samples));

    JsonNode jmh = new ObjectMapper().readTree(run.resolve("jmh.json").toFile());
    assertThat(jmh.size()).isEqualTo(1);
    assertThat(jmh.get(0).path("benchmark").asText())
        .isEqualTo(AllReduceBenchmark.class.getName() + ".outOfPlace");
    assertThat(jmh.get(0).path("params").path("bytes").asText()).isEqualTo("64");
    assertThat(jmh.get(0).path("params").path("seed").asText()).isEqualTo("42");
    double jmhMicros = jmh.get(0).path("primaryMetric").path("score").asDouble();
    // jmh.json merges forks, so its mean is computed anew.
    Score score = Objects.requireNonNull(fork.score());
    assertThat(score.value()).isCloseTo(jmhMicros, withinPercentage(1e-9));
    // The histogram's mean is JMH's less the cost of taking samples, and less what other load on
    // the
    // machine takes between two samples.
    double meanMicros = samples.getMean() / 1e3;
    assertThat(meanMicros).isBetween(0.01 * jmhMicros, 1.05 * jmhMicros);

    List<String> lines = end.out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .startsWith("# fake:0 · 2 ranks · bf16 · out of place · direct · native  ");
    assertThat(lines.get(2)).matches(" +64 +32 {2}ring .* 0 {2}fastest");
    assertThat(Files.readString(run.resolve("jmh.log"))).contains("AllReduceBenchmark.outOfPlace");
  }

  @Test
  void theCpuIsMeasuredWithVectorLoops() throws Exception {
    LabProcess.End end =
        LabProcess.run(
            folder,
            "bench",
            "--suite",
            quick("algorithms = two-shot"),
            "--out",
            run.toString(),
            "--devices",
            "cpu");

    assertThat(end.code()).as(end.err()).isZero();
    assertThat(end.out()).startsWith("# cpu · 2 ranks · bf16 · out of place · direct · native");
    CaseRecord c = record().cases().get(0);
    assertThat(c.forks()).singleElement().extracting(ForkRecord::status).isEqualTo(ForkStatus.OK);
    assertThat(String.valueOf(c.choices().kernel())).contains("value=vector-");
  }

  @Test
  void inPlaceInflightAndGraphsRunToo() throws Exception {
    LabProcess.End inPlace = ring(run, "--in-place", "true", "--format", "csv");
    assertThat(inPlace.out().lines().skip(1))
        .singleElement()
        .asString()
        .contains(",true,1,1,queues,");
    assertThat(record().cases().get(0).benchmark()).isEqualTo("AllReduceBenchmark.inPlace");

    LabProcess.End inflight = ring(Path.of(run + "2"), "--inflight", "64");
    assertThat(inflight.out()).contains(" · 64 in flight ");

    LabProcess.End graph = ring(Path.of(run + "3"), "--inflight", "2", "--graph", "8");
    assertThat(graph.out()).contains(" · 2 in flight · graphs of 8 ");
  }

  /** A quick run of the ring that must end well. */
  private LabProcess.End ring(Path out, String... more) throws Exception {
    List<String> args = new ArrayList<>(List.of("bench", "--suite", quick("algorithms = ring")));
    args.addAll(List.of("--out", out.toString()));
    args.addAll(List.of(more));
    LabProcess.End end = LabProcess.run(folder, args.toArray(String[]::new));
    assertThat(end.code()).as(end.err()).isZero();
    return end;
  }

  @Test
  void yardsticksAreMeasuredAndShownBesideTheContenders() throws Exception {
    LabProcess.End end =
        LabProcess.run(
            folder,
            "bench",
            "--suite",
            quick("algorithms = ring"),
            "--out",
            run.toString(),
            "--baselines",
            "true");

    assertThat(end.code()).as(end.err()).isZero();
    List<String> lines = end.out().lines().toList();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(1)).contains("p99.9 µs  × bare  algbw GB/s");
    assertThat(lines.get(2)).matches(" +64 +32 {2}ring .* 0 {2}fastest");
    assertThat(lines.get(3)).matches(" +64 +32 {2}ring, single queue .* 0");
    assertThat(lines.get(4)).matches(" +64 +32 {2}bare dispatch \\+ wait .* 1\\.00 +- +- +0");
    CaseRecord bare = record().caseOf("fake_0-n2-bare-copy-64B-bf16");
    assertThat(bare.baseline()).isTrue();
    assertThat(String.valueOf(bare.forks().get(0).after())).contains("checkedElements=64,");
    assertThat(bare.rows().get(0).busbwGBs()).isNull();
    assertThat(bare.forks().get(0).parts())
        .isEqualTo(new TimeParts(1000L, 4000L, 2000L, 2000L, null));
    assertThat(record().caseOf("fake_0-n2-ring-64B-bf16").baseline()).isFalse();
  }

  @Test
  void wrongBytesFailTheForkAndTheRunGoesOn() throws Exception {
    LabProcess.End end =
        LabProcess.run(
            folder,
            "bench",
            "--suite",
            quick("algorithms = ring"),
            "--out",
            run.toString(),
            "--devices",
            "fake:0",
            "--devices",
            "fake:1");

    assertThat(end.code()).isEqualTo(1);
    assertThat(end.err())
        .contains(
            "failed: fake_1-n2-ring-64B-bf16 fork 0: wrong bytes after timing: 2 of 128 elements");
    RunRecord record = record();
    assertThat(record.status()).isEqualTo(RunStatus.FAILED);
    assertThat(record.caseOf("fake_0-n2-ring-64B-bf16").forks().get(0).status())
        .isEqualTo(ForkStatus.OK);
    ForkRecord wrong = record.caseOf("fake_1-n2-ring-64B-bf16").forks().get(0);
    assertThat(wrong.status()).isEqualTo(ForkStatus.FAILED);
    assertThat(wrong.score()).isNull();
    assertThat(String.valueOf(wrong.after())).contains("wrongElements=2");
    assertThat(end.out()).contains("NOT all forks verified", "1 of 1 forks failed");
  }

  @Test
  void ctrlCKeepsTheRunAndResumeCompletesIt() throws Exception {
    LabProcess lab = LabProcess.start(folder, "bench", "--suite", slow(), "--out", run.toString());
    waitForForks(1);
    lab.interrupt();
    LabProcess.End end = lab.end();

    assertThat(end.code()).isEqualTo(130);
    assertThat(end.err()).contains("interrupted; kept in " + run).doesNotContain("Exception");
    assertThat(end.out()).contains("fake:0 · 2 ranks");
    assertThat(lab.forks()).isEmpty();
    assertThat(record().status()).isEqualTo(RunStatus.INTERRUPTED);
    completes(record().done());
  }

  @Test
  void aKilledRunKeepsWhatItHadAndResumeCompletesIt() throws Exception {
    LabProcess lab = LabProcess.start(folder, "bench", "--suite", slow(), "--out", run.toString());
    waitForForks(2);
    lab.kill();

    assertThat(record().status()).isEqualTo(RunStatus.RUNNING);
    assertThat(record().done()).hasSizeGreaterThanOrEqualTo(2);
    completes(record().done());
  }

  @Test
  void aFullDiskStopsTheRunWhichKeepsWhatItHasAndGoesOnWhenThereIsRoom() throws Exception {
    LabProcess.End end =
        LabProcess.runWithFilesUpTo(
            FULL_KIB, folder, "bench", "--suite", slow(), "--out", run.toString());

    assertThat(end.code()).as(end.err()).isEqualTo(2);
    assertThat(end.err())
        .contains(
            "lab bench: "
                + run
                + ": cannot be written: File too large; what it holds is kept, --resume goes on"
                + " with it")
        .doesNotContain("Exception");
    assertThat(record().status()).isEqualTo(RunStatus.RUNNING);
    completes(record().done());
  }

  @Test
  void aDiskThatIsFullFromTheBeginningLeavesAFolderThatCanBeUsed() throws Exception {
    LabProcess.End end =
        LabProcess.runWithFilesUpTo(1, folder, "bench", "--suite", slow(), "--out", run.toString());
    assertThat(end.code()).as(end.err()).isEqualTo(2);
    assertThat(end.err()).contains(run + ": cannot be written: File too large; choose another");
    assertThat(Files.exists(run.resolve("run.json"))).isFalse();

    LabProcess.End again =
        LabProcess.run(folder, "bench", "--suite", slow(), "--out", run.toString());
    assertThat(again.code()).as(again.err()).isZero();
  }

  private void completes(List<ForkId> doneBefore) throws Exception {
    RunRecord before = record();
    Files.delete(folder.resolve("tiny.suite")); // not needed: the run has its options

    LabProcess.End end = LabProcess.run(folder, "bench", "--resume", run.toString());

    assertThat(end.code()).as(end.err()).isZero();
    RunRecord after = record();
    assertThat(after.status()).isEqualTo(RunStatus.COMPLETE);
    assertThat(after.suite()).isEqualTo(before.suite());
    assertThat(after.resumed()).hasSize(1);
    for (ForkId fork : doneBefore) {
      assertThat(forkOf(after, fork)).isEqualTo(forkOf(before, fork));
    }
    LabProcess.End again = LabProcess.run(folder, "bench", "--resume", run.toString());
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("nothing to resume");
  }

  private static ForkRecord forkOf(RunRecord record, ForkId id) {
    return record.caseOf(id.caseId()).forks().stream()
        .filter(f -> f.index() == id.index())
        .findFirst()
        .orElseThrow();
  }

  /** Until so many forks are on disk and another one is running. */
  private void waitForForks(int count) throws InterruptedException {
    for (int i = 0; i < 1200; i++) {
      if (Files.exists(run.resolve("run.json")) && record().done().size() >= count) {
        Thread.sleep(200);
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("no fork was done within a minute");
  }
}
