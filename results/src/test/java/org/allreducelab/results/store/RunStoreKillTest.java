package org.allreducelab.results.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.RunStatus;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guarantees of {@link RunStore}, held against a real process that is really killed. */
class RunStoreKillTest {
  static final int FORKS = 2000;

  @TempDir private Path temporary;

  @Test
  void everySavedForkOutlivesKills() throws Exception {
    Path folder = temporary.resolve("run");
    Random random = new Random(5);
    List<ForkId> saved = new ArrayList<>();
    for (int kill = 0; kill < 4; kill++) {
      try (WriterProcess writer = WriterProcess.start(folder, kill == 0 ? "create" : "resume")) {
        assertThat(writer.readLine()).isEqualTo("open");
        int lines = 5 + random.nextInt(20);
        for (int i = 0; i < lines; i++) {
          saved.add(parse(writer.readLine()));
        }
        Thread.sleep(random.nextInt(3)); // into the middle of a save
        writer.kill();
        for (String line = writer.readLine(); line != null; line = writer.readLine()) {
          saved.add(parse(line));
        }
      }
      RunRecord run = new RunFolder(folder).read();
      assertThat(run.status()).isEqualTo(RunStatus.RUNNING);
      assertThat(run.done()).containsAll(saved);
      assertThat(run.done().size() - saved.size())
          .as("recorded, but killed before it could say so")
          .isBetween(0, kill + 1);
    }
    try (RunStore store = RunStore.resume(folder, SampleRun.environment())) {
      int measured = store.run().done().size();
      assertThat(new RunFolder(folder).latencies().values())
          .extracting(Histogram::getTotalCount)
          .satisfies(
              counts ->
                  assertThat(counts.stream().mapToLong(n -> n).sum()).isEqualTo(10L * measured));
    }
  }

  @Test
  void anotherProcessIsKeptOut() throws IOException {
    Path folder = temporary.resolve("run");
    try (WriterProcess writer = WriterProcess.start(folder, "create")) {
      assertThat(writer.readLine()).isEqualTo("open");
      assertThatThrownBy(() -> RunStore.resume(folder, SampleRun.environment()))
          .extracting(e -> ((RunFolderException) e).kind())
          .isEqualTo(Kind.LOCKED);
    }
    RunStore.resume(folder, SampleRun.environment()).close(); // a killed process holds no lock
  }

  private static ForkId parse(@Nullable String line) {
    assertThat(line).isNotNull();
    String[] words = String.valueOf(line).split(" ", 2);
    return new ForkId(words[0], Integer.parseInt(words[1]));
  }
}
