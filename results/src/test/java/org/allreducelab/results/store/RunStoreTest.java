package org.allreducelab.results.store;

import static java.util.Objects.requireNonNull;
import static org.allreducelab.results.store.SampleRun.NAIVE;
import static org.allreducelab.results.store.SampleRun.RING;
import static org.allreducelab.results.store.SampleRun.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.Measurement;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.RunStatus;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written of a run, fork by fork. */
class RunStoreTest {
  @TempDir private Path temporary;

  @Test
  void aRunIsWrittenForkByFork() throws IOException {
    Path folder = temporary.resolve("a/b/run");
    try (RunStore store = SampleRun.create(folder, 2)) {
      assertThat(RunFolders.files(folder))
          .containsExactly(".lock", "jmh.json", "latency.hlog", "run.json");
      assertThat(new RunFolder(folder).read().status()).isEqualTo(RunStatus.RUNNING);
      assertThat(store.pending()).hasSize(4);

      SampleRun.save(store, RING, 0, 100);
      assertThat(RunFolders.read(folder).done()).containsExactly(new ForkId(RING, 0));
      SampleRun.save(store, NAIVE, 0, 200);
      SampleRun.save(store, NAIVE, 1, 300);
      store.choose(RING, SampleRun.CHOICES);
      SampleRun.save(store, RING, 1, 110);
      assertThat(store.pending()).isEmpty();

      RunRecord finished = store.finish();
      assertThat(finished.status()).isEqualTo(RunStatus.COMPLETE);
      assertThat(finished.finished()).isNotNull();
      assertThat(RunFolders.read(folder)).isEqualTo(finished);
      assertThat(finished.caseOf(RING).choices()).isEqualTo(SampleRun.CHOICES);
    }
    assertThat(RunFolders.files(folder))
        .containsExactly(".lock", "jmh.json", "latency.hlog", "run.json");
  }

  @Test
  void samplesOfAllForksAreAddedUpByCase() {
    Path folder = temporary.resolve("run");
    try (RunStore store = SampleRun.create(folder, 2)) {
      SampleRun.save(store, RING, 0, 100);
      SampleRun.save(store, NAIVE, 0, 20_000);
      SampleRun.save(store, RING, 1, 500_000); // another magnitude: the sum must resize

      assertThat(new RunFolder(folder).latencies()).containsOnlyKeys(RING, NAIVE);
      LatencySummary ring = LatencySummary.of(RunFolders.ring(folder));
      assertThat(ring.samples()).isEqualTo(20);
      assertThat(ring.p50Ns() / 1000).isEqualTo(109);
      assertThat(ring.maxNs() / 1e9).isBetween(0.5, 0.501);
    }
  }

  @Test
  void hdrHistogramReadsTheLog() throws IOException {
    Path folder = temporary.resolve("run");
    try (RunStore store = SampleRun.create(folder, 2)) {
      SampleRun.save(store, RING, 0, 100);
      SampleRun.save(store, RING, 1, 200);
    }
    try (HistogramLogReader reader =
        new HistogramLogReader(folder.resolve("latency.hlog").toFile())) {
      EncodableHistogram first = reader.nextIntervalHistogram();
      assertThat(first.getTag()).isEqualTo(RING + ".fork0");
      assertThat(first.getStartTimeStamp()).isEqualTo(START.plusSeconds(10).toEpochMilli());
      assertThat(first.getEndTimeStamp() - first.getStartTimeStamp()).isEqualTo(2500);
      assertThat(reader.getStartTimeSec()).isEqualTo((double) START.getEpochSecond());
      assertThat(reader.nextIntervalHistogram().getTag()).isEqualTo(RING + ".fork1");
      assertThat(reader.nextIntervalHistogram()).isNull();
    }
  }

  @Test
  void phasesLieBesideTheirForkAndSurviveAResume() {
    Path folder = temporary.resolve("run");
    Histogram first = new Histogram(3);
    first.recordValue(7000);
    try (RunStore store = SampleRun.create(folder, 2)) {
      Measurement m =
          SampleRun.measurement(RING, 100)
              .withPhases(Map.of("first", first, "none", new Histogram(3)));
      store.save(RING, SampleRun.ok(0, m), m);
    }
    try (RunStore store = RunStore.resume(folder, SampleRun.environment())) {
      SampleRun.save(store, RING, 1, 200);
    }
    Map<ForkId, Map<String, Histogram>> phases = new RunFolder(folder).phases();
    assertThat(phases).containsOnlyKeys(new ForkId(RING, 0));
    Map<String, Histogram> ofFork = requireNonNull(phases.get(new ForkId(RING, 0)));
    assertThat(ofFork).containsOnlyKeys("first");
    assertThat(requireNonNull(ofFork.get("first")).getMaxValue()).isEqualTo(7003);
    assertThat(LatencySummary.of(RunFolders.ring(folder)).samples()).isEqualTo(20);
    assertThatThrownBy(
            () -> SampleRun.measurement(RING, 1).withPhases(Map.of("a.b", new Histogram(3))))
        .hasMessage("phase 'a.b' may hold no dot");
  }

  @Test
  void aFailedForkMakesTheRunFailed() {
    Path folder = temporary.resolve("run");
    try (RunStore store = SampleRun.create(folder, 1)) {
      store.save(RING, ForkRecord.failed(0, START, 10, null, null, "deadline of 10 s missed"));
      SampleRun.save(store, NAIVE, 0, 200);
      assertThat(store.finish().status()).isEqualTo(RunStatus.FAILED);
    }
    RunFolders.assertRefused(
        Kind.NOTHING_TO_DO,
        () -> RunStore.resume(folder, SampleRun.environment()),
        "nothing to resume");
  }

  @Test
  void aSaveThatFailsChangesNothingAndCanBeRepeated() throws IOException {
    Path folder = temporary.resolve("run");
    for (String blocked : List.of("jmh.json.tmp", "run.json.tmp")) {
      Path run = folder.resolve(blocked + "-run");
      try (RunStore store = SampleRun.create(run, 2)) {
        SampleRun.save(store, RING, 0, 100);
        byte[] record = Files.readAllBytes(run.resolve("run.json"));
        Files.createDirectory(run.resolve(blocked));
        Measurement wide = SampleRun.measurement(RING, 900, 3000); // a longer line than the next

        RunFolders.assertRefused(
            Kind.UNWRITABLE,
            () -> store.save(RING, SampleRun.ok(1, wide), wide),
            run + ": cannot be written");
        assertThat(store.pending()).contains(new ForkId(RING, 1));
        assertThat(Files.readAllBytes(run.resolve("run.json"))).isEqualTo(record);
        // The record comes last: the files before it in the order hold the fork already.
        assertThat(run.resolve("latency.hlog")).content().contains(RING + ".fork1,");
        assertThat(Files.readString(run.resolve("jmh.json")).contains("\"forks\" : [ 0, 1 ]"))
            .isEqualTo(blocked.equals("run.json.tmp"));

        Files.delete(run.resolve(blocked));
        SampleRun.save(store, NAIVE, 0, 300); // overwrites what the failed save left in the log
        assertThat(Files.readAllLines(run.resolve("latency.hlog"))).hasSize(4 + 2);
        SampleRun.save(store, RING, 1, 200);
      }
      assertThat(RunFolders.ring(run).getMaxValue() / 1000).isEqualTo(209);
      assertThat(Files.readAllLines(run.resolve("latency.hlog")))
          .filteredOn(line -> line.startsWith("Tag="))
          .hasSize(3);
    }
  }

  @Test
  void refusesForksThatDoNotBelong() {
    Path folder = temporary.resolve("run");
    Measurement measurement = SampleRun.measurement(RING, 100);
    ForkRecord fork = SampleRun.ok(0, measurement);
    try (RunStore store = SampleRun.create(folder, 1)) {
      store.save(RING, fork, measurement);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.save(RING, fork, measurement))
          .withMessageContaining("done already or not planned");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.save("unknown", fork, measurement));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.save(NAIVE, SampleRun.ok(1, measurement), measurement));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.save(NAIVE, fork))
          .withMessageContaining("saved with its measurement");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.save(NAIVE, fork, SampleRun.measurement(NAIVE, 200)))
          .withMessageContaining("not the measurement of");
      assertThat(store.run().done()).hasSize(1);
      store.finish();
      assertThatIllegalStateException().isThrownBy(() -> store.save(NAIVE, fork, measurement));
      assertThatIllegalStateException().isThrownBy(store::finish);
    }
  }
}
