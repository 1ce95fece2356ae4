package org.allreducelab.results.store;

import static org.allreducelab.results.store.SampleRun.RING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folders a run is written to, and that one process at a time does. */
class RunStoreFolderTest {
  @TempDir private Path temporary;

  @Test
  void refusesAFolderThatHoldsSomething() throws IOException {
    Files.writeString(temporary.resolve("notes.txt"), "mine");
    RunFolders.assertRefused(Kind.EXISTS, () -> SampleRun.create(temporary, 1), "is not empty");
    assertThat(RunFolders.files(temporary)).containsExactly("notes.txt");

    Path file = temporary.resolve("notes.txt");
    RunFolders.assertRefused(Kind.EXISTS, () -> SampleRun.create(file, 1), "is not a folder");

    Path empty = Files.createDirectory(temporary.resolve("empty"));
    SampleRun.create(empty, 1).close();
    RunFolders.assertRefused(
        Kind.EXISTS,
        () -> SampleRun.create(empty, 1),
        "empty is not empty; choose a new folder, or --resume it");
  }

  @Test
  void refusesAFolderThatCannotBeMade() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "");
    Path below = file.resolve("run");
    RunFolders.assertRefused(
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
      RunFolders.assertRefused(
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
}
