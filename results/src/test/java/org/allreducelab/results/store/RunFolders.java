package org.allreducelab.results.store;

import static java.util.Objects.requireNonNull;
import static org.allreducelab.results.store.SampleRun.RING;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Run folders as tests look at them. */
final class RunFolders {
  private RunFolders() {}

  /** The samples of all forks of the case ring. */
  static Histogram ring(Path folder) {
    return requireNonNull(new RunFolder(folder).latencies().get(RING));
  }

  /** The record. */
  static RunRecord read(Path folder) {
    return new RunFolder(folder).read();
  }

  /** The names of a folder's files, sorted. */
  static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Copies the files of a folder into one that may be missing. */
  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (String name : files(from)) {
      Files.write(to.resolve(name), Files.readAllBytes(from.resolve(name)));
    }
  }

  /** A call is refused in one line. */
  static void assertRefused(Kind kind, ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(RunFolderException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n")
        .extracting(e -> ((RunFolderException) e).kind())
        .isEqualTo(kind);
  }
}
