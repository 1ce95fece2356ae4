package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.Choice;
import org.allreducelab.results.Choices;
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
import org.allreducelab.results.TimeParts;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.Verification;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Golden files: what people and programs read, to the byte. */
class TextReportTest {
  private static final Choices CHOICES =
      new Choices(
          new Choice("queues", "a core per rank"),
          new Choice("direct", "all ranks share the heap"),
          new Choice("native", "only one"),
          new Choice("pairwise", "default"),
          new Choice("vector-512", "added"),
          null,
          null,
          null);
  private static final Choices ON_A_SINGLE_QUEUE =
      new Choices(
          new Choice("single-queue", "forced"),
          CHOICES.transport(),
          CHOICES.sync(),
          CHOICES.barrier(),
          CHOICES.kernel(),
          null,
          null,
          null);
  private static final TimeParts PARTS = new TimeParts(5000L, 55000L, 31240L, 9120L, 27500L);
  private static final Verification EXACT = new Verification(Verdict.EXACT, 40960, 0, false);
  private static final Verification WRONG = new Verification(Verdict.WRONG, 40960, 3, false);
  private static final String JMH =
      "[{\"mode\":\"avgt\",\"primaryMetric\":"
          + "{\"score\":1.0,\"scoreError\":\"NaN\",\"scoreUnit\":\"us/op\"}}]";

  private final List<BenchCase> cases = new ArrayList<>();
  private final List<CaseRecord> records = new ArrayList<>();
  private final Map<String, Histogram> latencies = new LinkedHashMap<>();
  private long[] oneElementNs = {};

  private void measured(BenchCase c, long... samplesNs) {
    measured(c, null, samplesNs);
  }

  private void measured(BenchCase c, @Nullable TimeParts parts, long... samplesNs) {
    Histogram histogram = Latencies.newHistogram();
    for (long sample : samplesNs) {
      histogram.recordValue(sample);
    }
    latencies.put(c.id(), histogram);
    add(
        c,
        ForkRecord.ok(0, Instant.EPOCH, 1, EXACT, EXACT, Measurement.of(histogram, JMH))
            .withParts(parts));
  }

  private void add(BenchCase c, ForkRecord... forks) {
    cases.add(c);
    CaseRecord record =
        CaseRecord.planned(
                c.id(),
                "AllReduceBenchmark.outOfPlace",
                c.devices(),
                ResultKey.of(c.algorithm(), c.ranks(), c.count(), "bf16"),
                c.bytes(),
                c.inPlace(),
                false)
            .withChoices(c.role() == Role.SINGLE_QUEUE ? ON_A_SINGLE_QUEUE : CHOICES);
    for (ForkRecord fork : forks) {
      record = record.withFork(fork);
    }
    records.add(record);
  }

  private List<BenchRow> rows() {
    golden();
    return rowsOf(1);
  }

  private void golden() {
    measured(Cases.on("cpu", 4, "two-shot", 524288, false), 100_000, 101_000, 250_000);
    measured(Cases.on("cpu", 4, "ring", 524288, false), 180_000, 181_000, 182_000);
    measured(Cases.on("cpu", 4, "ring", 10240, false), 12_410, 12_410, 15_020);
    measured(Cases.on("cpu", 4, "double-binary-tree", 10240, false), 22_000);
    measured(Cases.on("cpu", 2, "one-shot", 10240, false), 2_900);
    measured(
        Cases.on("cpu", 2, "recursive-doubling:distance=asc,fold=adjacent", 10240, false), 3_100);
    add(
        Cases.on("cpu", 2, "naive", 10240, false),
        ForkRecord.failed(0, Instant.EPOCH, 1, EXACT, WRONG, "wrong bytes"));
    add(Cases.on("cpu", 2, "swing", 10240, false)); // not tried: the run was interrupted
    BenchCase onDevice = Cases.on("vulkan:0", 2, "one-shot", 10240, false);
    measured(Cases.on("vulkan:0", 2, "ring", 524288, false), 200_000);
    measured(onDevice, PARTS, 60_000);
    measured(Cases.on("vulkan:0", 2, "ring", 10240, false), 90_000);
    measured(onDevice.asBare(), new TimeParts(3000L, 37000L, null, null, null), 40_000);
    measured(onDevice.asSingleQueue(), 52_000);
  }

  private List<BenchRow> rowsOf(int forks) {
    Environment environment =
        new Environment(
            new LabBuild("0.1.0", null, null),
            Instant.EPOCH,
            List.of("bench"),
            new Jvm("vm", "17", List.of()),
            new Machine("Linux", "6", "cpu", 2, 1, null, null),
            List.of(),
            List.of());
    IterationPlan iterations = new IterationPlan(1, 1);
    SuiteInfo suite = new SuiteInfo("golden", 1, forks, iterations, iterations, Map.of());
    return BenchRow.of(cases, RunRecord.planned(environment, suite, records), latencies);
  }

  private static String golden(String name) throws IOException {
    try (InputStream in = TextReportTest.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void textForPeople() throws IOException {
    assertThat(new TextReport(rows(), false).render()).isEqualTo(golden("report.txt"));
  }

  /** Two modes have one median: a reader should know that neither of them is it. */
  @Test
  void forksThatAreFarApartAreTold() {
    forks(Cases.on("cpu", 2, "ring", 10240, false), 16_000, 48_000, 17_000);
    forks(Cases.on("cpu", 2, "naive", 10240, false), 20_000, 29_000);

    String text = new TextReport(rowsOf(3), false).render();

    assertThat(text.lines().filter(line -> line.contains(" ring ") && line.contains("forks")))
        .singleElement()
        .asString()
        .containsPattern("forks 16\\.0\\d to 48\\.0\\d µs$");
    assertThat(text.lines().filter(line -> line.contains(" naive ")))
        .noneMatch(l -> l.contains("forks"));
  }

  /** Then the ranks were, whatever the algorithm. */
  @Test
  void whatOneElementTookInTheFastestAndTheSlowestForkIsTold() {
    oneElementNs = new long[] {60, 203, 70};
    forks(Cases.on("cpu", 2, "ring", 10240, false), 16_000, 48_000, 17_000);

    assertThat(new TextReport(rowsOf(3), false).render().stripTrailing())
        .containsPattern("forks 16\\.0\\d to 48\\.0\\d µs \\(one element 0\\.06, 0\\.20\\)$");
  }

  private void forks(BenchCase c, long... p50sNs) {
    ForkRecord[] forks = new ForkRecord[p50sNs.length];
    Histogram all = Latencies.newHistogram();
    for (int i = 0; i < forks.length; i++) {
      Histogram one = Latencies.newHistogram();
      one.recordValue(p50sNs[i]);
      all.add(one);
      TimeParts parts =
          oneElementNs.length == 0 ? null : new TimeParts(null, null, null, null, oneElementNs[i]);
      forks[i] =
          ForkRecord.ok(i, Instant.EPOCH, 1, EXACT, EXACT, Measurement.of(one, JMH))
              .withParts(parts);
    }
    latencies.put(c.id(), all);
    add(c, forks);
  }

  @Test
  void verboseTextSaysWhereTheTimeGoes() throws IOException {
    assertThat(new TextReport(rows(), true).render()).isEqualTo(golden("report-verbose.txt"));
  }

  @Test
  void csvForPrograms() throws IOException {
    assertThat(ReportTable.of(rows()).render(Format.CSV)).isEqualTo(golden("report.csv"));
  }
}
