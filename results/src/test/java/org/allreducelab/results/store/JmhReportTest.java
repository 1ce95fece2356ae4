package org.allreducelab.results.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import org.allreducelab.results.ForkId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.AggregationPolicy;

/** Forks reported one at a time must give what JMH reports for all of them in one go. */
class JmhReportTest {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String CASE = "case-1";

  @TempDir private Path folder;

  @Test
  void threeForksGiveTheNumbersComputedByHand() throws IOException {
    JsonNode metric =
        entry(
                report(
                    new JmhText(CASE).fork(new double[] {1, 2}),
                    new JmhText(CASE).fork(new double[] {3, 4}),
                    new JmhText(CASE).fork(new double[] {5, 9})))
            .get("primaryMetric");

    // Sum 24, squared deviations 9+4+1+0+1+25 = 40, s² = 8; t(0.9995, 5) = 6.868827 (tables:
    // 6.869).
    double error = 6.868827 * Math.sqrt(8.0 / 6);
    assertThat(metric.get("score").asDouble()).isEqualTo(4.0);
    assertThat(metric.get("scoreError").asDouble()).isCloseTo(error, within(1e-5));
    assertThat(metric.at("/scoreConfidence/0").asDouble()).isCloseTo(4 - error, within(1e-5));
    assertThat(metric.at("/scoreConfidence/1").asDouble()).isCloseTo(4 + error, within(1e-5));
    // Positions p·7/100 in 1 2 3 4 5 9: the median at 3.5, the 90th beyond the last.
    assertThat(metric.at("/scorePercentiles/0.0").asDouble()).isEqualTo(1.0);
    assertThat(metric.at("/scorePercentiles/50.0").asDouble()).isEqualTo(3.5);
    assertThat(metric.at("/scorePercentiles/90.0").asDouble()).isEqualTo(9.0);
    assertThat(metric.get("rawData")).hasToString("[[1.0,2.0],[3.0,4.0],[5.0,9.0]]");
  }

  @Test
  void equalsWhatJmhWritesForAllForksInOneGo() throws IOException {
    JmhText together = new JmhText(CASE);
    JmhText[] apart = {new JmhText(CASE), new JmhText(CASE), new JmhText(CASE)};
    Random random = new Random(7);
    for (JmhText fork : apart) {
      double[] scores = random.doubles(5, 10, 20).toArray();
      together.fork(scores);
      fork.fork(scores);
      for (int i = 0; i < scores.length; i++) {
        double bytes = random.nextInt(5);
        double collections = random.nextInt(3);
        double peak = random.nextInt(1000);
        for (JmhText text : new JmhText[] {together, fork}) {
          text.metric(i, "gc.alloc.rate.norm", bytes, "B/op", AggregationPolicy.AVG);
          text.metric(i, "gc.count", collections, "counts", AggregationPolicy.SUM);
          text.metric(i, "peak", peak, "KiB", AggregationPolicy.MAX);
          text.metric(i, "least", peak, "KiB", AggregationPolicy.MIN);
        }
      }
    }

    assertSameAsJmh(report(apart), together);
  }

  @Test
  void equalsWhatJmhWritesInSamplingMode() throws IOException {
    JmhText together = new JmhText(CASE);
    JmhText[] apart = {new JmhText(CASE), new JmhText(CASE)};
    Random random = new Random(11);
    for (JmhText fork : apart) {
      long[][] samples = new long[3][];
      for (int i = 0; i < samples.length; i++) {
        samples[i] = random.longs(2000, 900, 1100).toArray();
      }
      together.sampledFork(samples);
      fork.sampledFork(samples);
    }

    assertSameAsJmh(report(apart), together);
  }

  @Test
  void aMetricThatSomeIterationsOrForksDoNotReportCountsAsZeroLikeInJmh() throws IOException {
    JmhText together = new JmhText(CASE);
    JmhText[] apart = {new JmhText(CASE), new JmhText(CASE), new JmhText(CASE)};
    for (JmhText fork : apart) {
      for (JmhText text : new JmhText[] {together, fork}) {
        text.fork(new double[] {1, 2, 3});
        if (fork != apart[1]) {
          text.metric(1, "churn", 6, "MB/sec", AggregationPolicy.AVG);
        }
      }
    }

    JsonNode ours = entry(report(apart)).at("/secondaryMetrics/churn");
    JsonNode theirs = MAPPER.readTree(together.write()).at("/0/secondaryMetrics/churn");
    assertThat(theirs.get("score").asDouble()).isCloseTo(12.0 / 9, within(1e-12));
    assertThat(ours.get("score").asDouble()).isCloseTo(12.0 / 9, within(1e-12));
    assertThat(ours.get("scoreError").asDouble())
        .isCloseTo(theirs.get("scoreError").asDouble(), within(1e-9));
  }

  @Test
  void aMetricMeasuredOncePerForkKeepsItsScores() throws IOException {
    String first = onceMeasured(7.0);
    String second = onceMeasured(9.0);
    JmhReport report =
        JmhReport.empty().plus(new ForkId(CASE, 0), first).plus(new ForkId(CASE, 1), second);

    JsonNode metric = entry(report).at("/secondaryMetrics/cycles");
    assertThat(metric.get("score").asDouble()).isEqualTo(8.0);
    assertThat(metric.get("rawData")).hasToString("[[7.0],[9.0]]");
  }

  private static String onceMeasured(double score) throws IOException {
    JsonNode json = MAPPER.readTree(new JmhText(CASE).fork(new double[] {1, 2}).write());
    ObjectNode metrics = (ObjectNode) json.at("/0/secondaryMetrics");
    metrics.set(
        "cycles",
        MAPPER.readTree(
            "{\"score\":"
                + score
                + ",\"scoreError\":\"NaN\",\"scoreConfidence\":[\"NaN\",\"NaN\"],"
                + "\"scoreUnit\":\"#/op\",\"rawData\":[[]]}"));
    return json.toString();
  }

  @Test
  void readBackIsTheSameAndForksBeyondTheRecordAreDropped() throws IOException {
    JmhText[] forks = {
      new JmhText(CASE).fork(new double[] {1, 2}),
      new JmhText(CASE).fork(new double[] {3, 4}),
      new JmhText(CASE).fork(new double[] {5, 9})
    };
    Path file = folder.resolve("jmh.json");
    Files.write(file, report(forks).toBytes());

    Set<ForkId> all = Set.of(new ForkId(CASE, 0), new ForkId(CASE, 1), new ForkId(CASE, 2));
    assertThat(JmhReport.read(file, all).toBytes()).isEqualTo(Files.readAllBytes(file));

    Set<ForkId> two = Set.of(new ForkId(CASE, 0), new ForkId(CASE, 1));
    assertThat(JmhReport.read(file, two).toBytes()).isEqualTo(report(forks[0], forks[1]).toBytes());

    assertThat(JmhReport.read(file, Set.of()).toBytes()).isEqualTo(JmhReport.empty().toBytes());
  }

  @Test
  void casesStayApart() throws IOException {
    JmhReport report =
        JmhReport.empty()
            .plus(new ForkId("a", 0), new JmhText("a").fork(new double[] {1}).write())
            .plus(new ForkId("b", 0), new JmhText("b").fork(new double[] {2}).write())
            .plus(new ForkId("a", 1), new JmhText("a").fork(new double[] {3}).write());

    JsonNode json = MAPPER.readTree(report.toBytes());
    assertThat(json).hasSize(2);
    assertThat(json.at("/0/primaryMetric/rawData")).hasToString("[[1.0],[3.0]]");
    assertThat(json.at("/0/forks").asInt()).isEqualTo(2);
    assertThat(json.at("/1/primaryMetric/rawData")).hasToString("[[2.0]]");
  }

  @Test
  void refusesWhatCannotBeMerged() {
    String json = new JmhText("a").fork(new double[] {1}).write();
    JmhReport report = JmhReport.empty().plus(new ForkId("a", 0), json);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.plus(new ForkId("a", 0), json))
        .withMessageContaining("case a: fork [0] twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.plus(new ForkId("b", 0), json))
        .withMessageContaining("cases a and b have the same JMH benchmark, mode and parameters");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                report.plus(
                    new ForkId("a", 1), new JmhText("other").fork(new double[] {1}).write()))
        .withMessageContaining("different JMH benchmarks");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                report.plus(
                    new ForkId("c", 0), new JmhText("vulkan:0").fork(new double[] {1}).write()))
        .withMessageContaining("value of parameter caseId 'vulkan:0' may only hold");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> report.plus(new ForkId("c", 0), "[{"))
        .withMessageContaining("not JMH's JSON");
  }

  private static JmhReport report(JmhText... forks) {
    JmhReport report = JmhReport.empty();
    for (int i = 0; i < forks.length; i++) {
      report = report.plus(new ForkId(CASE, i), forks[i].write());
    }
    return report;
  }

  private static ObjectNode entry(JmhReport report) throws IOException {
    return (ObjectNode) MAPPER.readTree(report.toBytes()).get(0);
  }

  private static void assertSameAsJmh(JmhReport report, JmhText together) throws IOException {
    ObjectNode ours = entry(report);
    assertThat(ours.remove("allreduceLab")).isNotNull();
    JsonNode theirs = MAPPER.readTree(together.write()).get(0);
    assertThat(ours.fieldNames()).toIterable().containsExactlyElementsOf(theirs::fieldNames);
    assertThat(ours.equals(JmhReportTest::compareNumbers, theirs))
        .withFailMessage(() -> "ours:\n" + ours.toPrettyString() + "\nJMH's:\n" + theirs)
        .isTrue();
  }

  /** Sums in another order may differ in the last bits. */
  private static int compareNumbers(JsonNode a, JsonNode b) {
    if (a.isNumber() && b.isNumber()) {
      double scale = Math.max(Math.abs(a.asDouble()), Math.abs(b.asDouble()));
      return Math.abs(a.asDouble() - b.asDouble()) <= 1e-12 * scale ? 0 : 1;
    }
    return a.equals(b) ? 0 : 1;
  }
}
