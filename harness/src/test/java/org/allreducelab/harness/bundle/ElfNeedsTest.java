package org.allreducelab.harness.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfNeedsTest {
  private static final Path JVM = Path.of(System.getProperty("java.home"), "lib/server/libjvm.so");

  @Test
  void readsALibrary() throws IOException {
    ElfNeeds needs = ElfNeeds.read(Files.readAllBytes(JVM)).orElseThrow();

    assertThat(needs.libraries()).contains("libc.so.6").allMatch(name -> name.matches("[-.\\w+]+"));
    assertThat(needs.versions()).contains("GLIBC_2.2.5").allMatch(v -> v.matches("[A-Z]+_[.\\w]+"));
  }

  @Test
  void otherFilesNeedNothing() {
    assertThat(ElfNeeds.read(new byte[0])).isEmpty();
    assertThat(ElfNeeds.read("#!/bin/sh\n".repeat(99).getBytes(StandardCharsets.UTF_8))).isEmpty();
  }

  @Test
  void whatLiesInsideAFolderIsNotNeeded(@TempDir Path folder) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin/java");
    Files.copy(java, folder.resolve("java"));
    Files.writeString(folder.resolve("text"), "text");
    HostNeeds alone = HostNeeds.ofFolder(folder);
    Files.createFile(folder.resolve("libjli.so"));
    HostNeeds withIts = HostNeeds.ofFolder(folder);

    assertThat(alone.libraries()).contains("libjli.so");
    assertThat(withIts.libraries()).doesNotContain("libjli.so", "libc.so.6");
    assertThat(withIts.text()).matches("glibc 2\\.\\d.* or newer.*");
  }

  @Test
  void versionsAreComparedAsNumbers() throws IOException {
    assertThat(HostNeeds.ofLibraries(List.of(Files.readAllBytes(JVM))).glibc())
        .matches("2\\.\\d{2}");
  }
}
