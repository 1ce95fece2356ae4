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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.ForkStatus;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.Measurement;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.RunStatus;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunStoreTest {
  @TempDir private Path temporary;

  @Test
  void aRunIsWrittenForkByFork() throws IOException {
    Path folder = temporary.resolve("a/b/run");
    try (RunStore store = SampleRun.create(folder, 2)) {
      assertThat(files(folder)).containsExactly(".lock", "jmh.json", "latency.hlog", "run.json");
      assertThat(new RunFolder(folder).read().status()).isEqualTo(RunStatus.RUNNING);
      assertThat(store.pending()).hasSize(4);

      SampleRun.save(store, RING, 0, 100);
      assertThat(onDisk(folder).done()).containsExactly(new ForkId(RING, 0));
      SampleRun.save(store, NAIVE, 0, 200);
      SampleRun.save(store, NAIVE, 1, 300);
      store.choose(RING, SampleRun.CHOICES);
      SampleRun.save(store, RING, 1, 110);
      assertThat(store.pending()).isEmpty();

      RunRecord finished = store.finish();
      assertThat(finished.status()).isEqualTo(RunStatus.COMPLETE);
      assertThat(finished.finished()).isNotNull();
      assertThat(onDisk(folder)).isEqualTo(finished);
      assertThat(finished.caseOf(RING).choices()).isEqualTo(SampleRun.CHOICES);
    }
    assertThat(files(folder)).containsExactly(".lock", "jmh.json", "latency.hlog", "run.json");
  }

  @Test
  void samplesOfAllForksAreAddedUpByCase() {
    Path folder = temporary.resolve("run");
    try (RunStore store = SampleRun.create(folder, 2)) {
      SampleRun.save(store, RING, 0, 100);
      SampleRun.save(store, NAIVE, 0, 20_000);
      SampleRun.save(store, RING, 1, 500_000); // another magnitude: the sum must resize

      assertThat(new RunFolder(folder).latencies()).containsOnlyKeys(RING, NAIVE);
      LatencySummary ring = LatencySummary.of(ring(folder));
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
    assertThat(LatencySummary.of(ring(folder)).samples()).isEqualTo(20);
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
    assertKind(
        Kind.NOTHING_TO_DO,
        () -> RunStore.resume(folder, SampleRun.environment()),
        "nothing to resume");
  }

  @Test
  void aStoppedRunGoesOnWhereItStopped() {
    Path folder = temporary.resolve("run");
    try (RunStore store = SampleRun.create(folder, 2)) {
      SampleRun.save(store, RING, 0, 100);
      store.save(NAIVE, ForkRecord.failed(0, START, 10, null, null, "refused"));
      store.save(RING, ForkRecord.interrupted(1, START, 10));
      assertThat(store.finish().status()).isEqualTo(RunStatus.INTERRUPTED);
    }
    try (RunStore store = RunStore.resume(folder, SampleRun.environment())) {
      assertThat(store.run().status()).isEqualTo(RunStatus.RUNNING);
      assertThat(store.run().resumed()).containsExactly(SampleRun.environment());
      assertThat(store.run().done())
          .containsExactlyInAnyOrder(new ForkId(RING, 0), new ForkId(NAIVE, 0));
      assertThat(store.pending()).containsExactly(new ForkId(RING, 1), new ForkId(NAIVE, 1));
      SampleRun.save(store, RING, 1, 100);
      SampleRun.save(store, NAIVE, 1, 100);
      assertThat(store.finish().status()).isEqualTo(RunStatus.FAILED);
    }
    assertThat(ring(folder).getTotalCount()).isEqualTo(20);
  }

  /**
   * Every state that a kill during the second save can leave, put together from the files before
   * and after it: the log cut at any byte, the report old or new, temporary files half-written.
   */
  @Test
  void aKillAtAnyMomentCostsAtMostTheForkInFlight() throws IOException {
    Path before = temporary.resolve("before");
    Path after = temporary.resolve("after");
    try (RunStore store = SampleRun.create(before, 2)) {
      SampleRun.save(store, RING, 0, 100);
      copy(before, after);
      try (RunStore other = RunStore.resume(after, SampleRun.environment())) {
        SampleRun.save(other, RING, 1, 200);
      }
    }
    byte[] oldLog = Files.readAllBytes(before.resolve("latency.hlog"));
    byte[] newLog = Files.readAllBytes(after.resolve("latency.hlog"));
    assertThat(newLog).startsWith(oldLog);

    List<Path> states = new ArrayList<>();
    for (int length = oldLog.length; length <= newLog.length; length++) {
      states.add(state(before, after, "log" + length, length, List.of("jmh.json"), List.of()));
    }
    states.add(state(before, after, "tmp1", newLog.length, List.of(), List.of("jmh.json.tmp")));
    states.add(state(before, after, "report", newLog.length, List.of("jmh.json"), List.of()));
    states.add(
        state(before, after, "tmp2", newLog.length, List.of("jmh.json"), List.of("run.json.tmp")));

    for (Path folder : states) {
      assertThat(ring(folder).getTotalCount()).isEqualTo(10);
      try (RunStore store = RunStore.resume(folder, SampleRun.environment())) {
        assertThat(store.pending()).contains(new ForkId(RING, 1)).hasSize(3);
        assertThat(Files.readAllBytes(folder.resolve("latency.hlog"))).isEqualTo(oldLog);
        assertThat(folder.resolve("jmh.json")).hasSameBinaryContentAs(before.resolve("jmh.json"));
        assertThat(files(folder)).containsExactly(".lock", "jmh.json", "latency.hlog", "run.json");
        SampleRun.save(store, RING, 1, 200);
      }
      assertThat(Files.readAllBytes(folder.resolve("latency.hlog"))).isEqualTo(newLog);
      assertThat(folder.resolve("jmh.json")).hasSameBinaryContentAs(after.resolve("jmh.json"));
      assertThat(onDisk(folder).cases()).isEqualTo(onDisk(after).cases());
    }
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

        assertKind(
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
      assertThat(ring(run).getMaxValue() / 1000).isEqualTo(209);
      assertThat(Files.readAllLines(run.resolve("latency.hlog")))
          .filteredOn(line -> line.startsWith("Tag="))
          .hasSize(3);
    }
  }

  @Test
  void refusesAFolderThatHoldsSomething() throws IOException {
    Files.writeString(temporary.resolve("notes.txt"), "mine");
    assertKind(Kind.EXISTS, () -> SampleRun.create(temporary, 1), "is not empty");
    assertThat(files(temporary)).containsExactly("notes.txt");

    Path file = temporary.resolve("notes.txt");
    assertKind(Kind.EXISTS, () -> SampleRun.create(file, 1), "is not a folder");

    Path empty = Files.createDirectory(temporary.resolve("empty"));
    SampleRun.create(empty, 1).close();
    assertKind(
        Kind.EXISTS,
        () -> SampleRun.create(empty, 1),
        "empty is not empty; choose a new folder, or --resume it");
  }

  @Test
  void refusesAFolderThatCannotBeMade() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "");
    Path below = file.resolve("run");
    assertKind(
        Kind.UNWRITABLE,
        () -> SampleRun.create(below, 1),
        below + ": cannot be written: " + file + " is a file, not a folder; choose another --out");
    assertThat(file).isEmptyFile();
  }

  @Test
  void oneRunHasOneWriter() throws IOException {
    Path folder = temporary.resolve("run");
    try (RunStore store = SampleRun.create(folder, 1)) {
      assertThat(store.folder()).isEqualTo(folder);
      assertKind(
          Kind.LOCKED,
          () -> RunStore.resume(folder, SampleRun.environment()),
          "another process is writing this run");
      SampleRun.save(store, RING, 0, 100); // the attempt did not release the first one's lock
    }
    RunStore.resume(folder, SampleRun.environment()).close();
    try (FileChannel lock = FileChannel.open(folder.resolve(".lock"), StandardOpenOption.WRITE)) {
      assertThat(lock.tryLock()).as("released on close").isNotNull();
    }
  }

  @Test
  void refusesToResumeWhatIsNoRun() throws IOException {
    assertKind(
        Kind.UNREADABLE,
        () -> RunStore.resume(temporary, SampleRun.environment()),
        "a run is a folder that holds a run.json");
    assertThat(files(temporary)).isEmpty();
  }

  @Test
  void refusesToResumeARunThatLacksWhatItRecords() throws IOException {
    Path good = temporary.resolve("good");
    try (RunStore store = SampleRun.create(good, 2)) {
      SampleRun.save(store, RING, 0, 100);
      SampleRun.save(store, RING, 1, 100);
    }
    String log = Files.readString(good.resolve("latency.hlog"));
    String firstLine = log.lines().filter(l -> l.contains("fork0")).findFirst().orElseThrow();

    damaged(good, "run.json", "{", "run.json:1: not a run record (cut short");
    damaged(good, "jmh.json", "[]", "jmh.json: case " + RING + " lacks some of the forks [0, 1]");
    damaged(good, "jmh.json", "[{}]", "jmh.json: an entry lacks allreduceLab");
    damaged(good, "jmh.json", "{}", "jmh.json: line 1: not an array");
    damaged(
        good,
        "jmh.json",
        "[1,",
        "jmh.json:1: not a list of JMH results (cut short, or edited by hand): ends too early");
    damaged(good, "latency.hlog", "", "latency.hlog: no histogram for");
    damaged(
        good,
        "latency.hlog",
        log.substring(0, log.length() - 5),
        "latency.hlog: no histogram for " + RING + ".fork1, which run.json records");
    damaged(
        good, "latency.hlog", log.replace(".fork0,", ".fork7,"), "latency.hlog: line 5: no hist");
    damaged(good, "latency.hlog", log + firstLine + "\n", "latency.hlog: line 7: a second hist");
    damaged(
        good,
        "latency.hlog",
        log.replace(firstLine, firstLine.substring(0, firstLine.length() - 8)),
        "latency.hlog: line 5: not a histogram");
  }

  private void damaged(Path good, String file, String content, String message) throws IOException {
    Path folder = Files.createTempDirectory(temporary, "damaged");
    copy(good, folder);
    Files.writeString(folder.resolve(file), content);
    assertKind(Kind.DAMAGED, () -> RunStore.resume(folder, SampleRun.environment()), message);
    assertThat(folder.resolve(file)).as("left as it was").hasContent(content);
    Files.write(folder.resolve(file), Files.readAllBytes(good.resolve(file)));
    RunStore.resume(folder, SampleRun.environment()).close(); // mended, and not locked for ever
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

  /** A run that version 0.1.0 left interrupted; never change these files. */
  @Test
  void resumesTheFixtureOfSchemaVersion1() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("run"));
    copy(SampleRun.fixture(), folder);
    assertThat(ring(folder).getTotalCount()).isEqualTo(10);
    try (RunStore store = RunStore.resume(folder, SampleRun.environment())) {
      for (ForkId fork : store.pending()) {
        SampleRun.save(store, fork.caseId(), fork.index(), 100);
      }
      RunRecord run = store.finish();
      assertThat(run.status()).isEqualTo(RunStatus.FAILED);
      assertThat(run.caseOf(RING).forks())
          .extracting(ForkRecord::status)
          .containsExactly(ForkStatus.OK, ForkStatus.FAILED, ForkStatus.OK);
    }
  }

  private static Path state(
      Path before, Path after, String name, int logLength, List<String> newer, List<String> torn)
      throws IOException {
    Path folder = before.resolveSibling("state-" + name);
    copy(before, folder);
    byte[] log = Files.readAllBytes(after.resolve("latency.hlog"));
    Files.write(folder.resolve("latency.hlog"), Arrays.copyOf(log, logLength));
    for (String file : newer) {
      if (logLength == log.length) {
        Files.write(folder.resolve(file), Files.readAllBytes(after.resolve(file)));
      }
    }
    for (String file : torn) {
      Files.writeString(folder.resolve(file), "[ { \"half\" ");
    }
    return folder;
  }

  private static Histogram ring(Path folder) {
    return requireNonNull(new RunFolder(folder).latencies().get(RING));
  }

  private static RunRecord onDisk(Path folder) {
    return new RunFolder(folder).read();
  }

  private static void assertKind(Kind kind, ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(RunFolderException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n")
        .extracting(e -> ((RunFolderException) e).kind())
        .isEqualTo(kind);
  }

  private static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (String name : files(from)) {
      Files.write(to.resolve(name), Files.readAllBytes(from.resolve(name)));
    }
  }
}
