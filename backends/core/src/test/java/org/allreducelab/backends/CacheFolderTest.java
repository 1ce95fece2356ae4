package org.allreducelab.backends;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
  @TempDir Path folder;

  @Test
  void keepsBytesAndNothingElse() throws IOException {
    CacheFolder cache = new CacheFolder(folder.resolve("deep").resolve("kind"));
    assertThat(cache.read("a")).isNull();
    assertThat(cache.write("a", new byte[] {1, 2})).isTrue();
    assertThat(cache.write("a", new byte[] {3})).isTrue();
    assertThat(cache.read("a")).containsExactly(3);
    try (var files = Files.list(folder.resolve("deep").resolve("kind"))) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void whereNothingCanBeKeptNothingIs() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "in the way");
    CacheFolder cache = new CacheFolder(file.resolve("kind"));
    assertThat(cache.write("a", new byte[] {1})).isFalse();
    assertThat(cache.read("a")).isNull();
    assertThat(file).hasContent("in the way");
  }
}
