package org.allreducelab.results.store;

import static java.util.Objects.requireNonNull;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.Choice;
import org.allreducelab.results.Choices;
import org.allreducelab.results.DeviceInfo;
import org.allreducelab.results.Environment;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.IterationPlan;
import org.allreducelab.results.Jvm;
import org.allreducelab.results.LabBuild;
import org.allreducelab.results.Machine;
import org.allreducelab.results.Measurement;
import org.allreducelab.results.ResultKey;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.SuiteInfo;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.Verification;

/** A small run for tests: two cases, ring and naive, with made-up numbers. */
final class SampleRun {
  static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
  static final String RING = "cpu-4-ring-20480";
  static final String NAIVE = "cpu-4-naive-20480";
  static final Verification EXACT = new Verification(Verdict.EXACT, 40960, 0, false);
  static final Choices CHOICES =
      new Choices(
          new Choice("physical", "the only placement of cpu"),
          new Choice("direct", "all ranks share one heap"),
          new Choice("native", "all ranks share one heap"),
          new Choice("pairwise", "default"),
          new Choice("scalar", "jdk.incubator.vector is not there"),
          null,
          null,
          null);

  private SampleRun() {}

  static Environment environment() {
    return new Environment(
        new LabBuild("0.1.0", "0123abc", true),
        START,
        List.of("bench", "--suite", "quick", "--out", "a folder"),
        new Jvm("OpenJDK 64-Bit Server VM", "17.0.15+6", List.of("-Xmx1g")),
        new Machine("Linux", "6.1", "a processor", 2, 8L << 30, "performance", 0.25),
        List.of(new DeviceInfo("cpu", "a processor", "threads", null)),
        List.of("4 ranks on 2 cores"));
  }

  static SuiteInfo suite(int forks) {
    return new SuiteInfo(
        "quick",
        42,
        forks,
        new IterationPlan(3, 500),
        new IterationPlan(2, 1000),
        Map.of("deadline", "10s"));
  }

  static List<CaseRecord> cases() {
    return List.of(planned(RING, "ring"), planned(NAIVE, "naive"));
  }

  private static CaseRecord planned(String id, String algorithm) {
    return CaseRecord.planned(
        id,
        "allreduce",
        List.of("cpu"),
        ResultKey.of(algorithm, 4, 10240, "bf16"),
        20480,
        false,
        false);
  }

  static RunStore create(Path folder, int forks) {
    return RunStore.create(folder, environment(), suite(forks), cases());
  }

  /** A measurement whose samples are base, base + 1 µs … base + 9 µs. */
  static Measurement measurement(String caseId, int baseUs) {
    return measurement(caseId, baseUs, 10);
  }

  /** The same with another number of samples. */
  static Measurement measurement(String caseId, int baseUs, int samples) {
    Histogram latency = new Histogram(3);
    for (int i = 0; i < samples; i++) {
      latency.recordValue((baseUs + i) * 1000L);
    }
    return Measurement.of(
        latency, new JmhText(caseId).fork(new double[] {baseUs + 4, baseUs + 5}).write());
  }

  static ForkRecord ok(int fork, Measurement measurement) {
    return ForkRecord.ok(fork, START.plusSeconds(10 + fork), 2500, EXACT, EXACT, measurement);
  }

  static void save(RunStore store, String caseId, int fork, int baseUs) {
    Measurement measurement = measurement(caseId, baseUs);
    store.save(caseId, ok(fork, measurement), measurement);
  }

  /** The folder of a run that version 0.1.0 wrote. */
  static Path fixture() {
    try {
      return Path.of(requireNonNull(RunRecord.class.getResource("run-v1")).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
