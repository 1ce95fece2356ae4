package org.allreducelab.results.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  @TempDir private Path folder;

  @Test
  void replacesTheWholeContentAndLeavesNothingElse() throws IOException {
    Path file = folder.resolve("file");
    AtomicFile atomic = new AtomicFile(file);
    atomic.write("a long first content".getBytes(UTF_8));
    atomic.write("second".getBytes(UTF_8));
    assertThat(file).hasContent("second");
    assertThat(folder).isDirectoryContaining(file::equals).isDirectoryNotContaining("glob:**.tmp");
  }

  @Test
  void aWriterThatDiedHalfWayLeavesTheOldFile() throws IOException {
    Path file = folder.resolve("file");
    AtomicFile atomic = new AtomicFile(file);
    atomic.write("old".getBytes(UTF_8));
    Files.writeString(
        folder.resolve("file.tmp"), "a half-written and longer n"); // and then it died

    assertThat(file).hasContent("old");
    atomic.write("new".getBytes(UTF_8));
    assertThat(file).hasContent("new");
  }

  @Test
  void leftoversAreRemoved() throws IOException {
    AtomicFile atomic = new AtomicFile(folder.resolve("file"));
    atomic.removeLeftover();
    Files.writeString(folder.resolve("file.tmp"), "half");
    atomic.removeLeftover();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aWriteThatFailsLeavesTheOldFile() throws IOException {
    Path file = folder.resolve("file");
    AtomicFile atomic = new AtomicFile(file);
    atomic.write("old".getBytes(UTF_8));
    Files.createDirectory(folder.resolve("file.tmp"));
    assertThatThrownBy(() -> atomic.write("new".getBytes(UTF_8))).isInstanceOf(IOException.class);
    assertThat(file).hasContent("old");
  }
}
