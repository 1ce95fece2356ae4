package org.allreducelab.results.store;

import static org.allreducelab.results.store.SampleRun.NAIVE;
import static org.allreducelab.results.store.SampleRun.RING;
import static org.allreducelab.results.store.SampleRun.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.ForkStatus;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.RunStatus;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that were stopped, killed, damaged or written by an older version, and go on. */
class RunStoreResumeTest {
  @TempDir private Path temporary;

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
    assertThat(RunFolders.ring(folder).getTotalCount()).isEqualTo(20);
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
      RunFolders.copy(before, after);
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
      assertThat(RunFolders.ring(folder).getTotalCount()).isEqualTo(10);
      try (RunStore store = RunStore.resume(folder, SampleRun.environment())) {
        assertThat(store.pending()).contains(new ForkId(RING, 1)).hasSize(3);
        assertThat(Files.readAllBytes(folder.resolve("latency.hlog"))).isEqualTo(oldLog);
        assertThat(folder.resolve("jmh.json")).hasSameBinaryContentAs(before.resolve("jmh.json"));
        assertThat(RunFolders.files(folder))
            .containsExactly(".lock", "jmh.json", "latency.hlog", "run.json");
        SampleRun.save(store, RING, 1, 200);
      }
      assertThat(Files.readAllBytes(folder.resolve("latency.hlog"))).isEqualTo(newLog);
      assertThat(folder.resolve("jmh.json")).hasSameBinaryContentAs(after.resolve("jmh.json"));
      assertThat(RunFolders.read(folder).cases()).isEqualTo(RunFolders.read(after).cases());
    }
  }

  private static Path state(
      Path before, Path after, String name, int logLength, List<String> newer, List<String> torn)
      throws IOException {
    Path folder = before.resolveSibling("state-" + name);
    RunFolders.copy(before, folder);
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

  /** A run that version 0.1.0 left interrupted; never change these files. */
  @Test
  void resumesTheFixtureOfSchemaVersion1() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("run"));
    RunFolders.copy(SampleRun.fixture(), folder);
    assertThat(RunFolders.ring(folder).getTotalCount()).isEqualTo(10);
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

  @Test
  void refusesToResumeWhatIsNoRun() throws IOException {
    RunFolders.assertRefused(
        Kind.UNREADABLE,
        () -> RunStore.resume(temporary, SampleRun.environment()),
        "a run is a folder that holds a run.json");
    assertThat(RunFolders.files(temporary)).isEmpty();
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
    RunFolders.copy(good, folder);
    Files.writeString(folder.resolve(file), content);
    RunFolders.assertRefused(
        Kind.DAMAGED, () -> RunStore.resume(folder, SampleRun.environment()), message);
    assertThat(folder.resolve(file)).as("left as it was").hasContent(content);
    Files.write(folder.resolve(file), Files.readAllBytes(good.resolve(file)));
    RunStore.resume(folder, SampleRun.environment()).close(); // mended, and not locked for ever
  }
}
