package org.allreducelab.harness.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleJarTest {
  @TempDir Path temp;

  @Test
  void storesEverythingButForeignNativesInTheSameOrder() throws IOException {
    List<String> kept =
        List.of(
            "META-INF/MANIFEST.MF",
            "linux/x64/org/lwjgl/liblwjgl.so",
            "META-INF/linux/x64/org/lwjgl/liblwjgl.so.sha1",
            "org/lwjgl/system/linux/X11.class",
            "META-INF/versions/19/A.class");
    List<String> foreign =
        List.of(
            "macos/arm64/org/lwjgl/liblwjgl.dylib",
            "linux/arm64/org/lwjgl/liblwjgl.so",
            "META-INF/windows/x64/org/lwjgl/lwjgl.dll.sha1");
    Path jar = temp.resolve("lab.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (String name : List.of(kept, foreign).stream().flatMap(List::stream).toList()) {
        out.putNextEntry(new ZipEntry(name));
        out.write(name.getBytes(StandardCharsets.UTF_8));
      }
    }
    Path copy = temp.resolve("copy.jar");
    BundleJar.copy(jar, copy);

    try (ZipFile zip = new ZipFile(copy.toFile())) {
      List<? extends ZipEntry> entries = Collections.list(zip.entries());
      assertThat(entries).extracting(ZipEntry::getName).isEqualTo(kept);
      assertThat(entries).allMatch(entry -> entry.getMethod() == ZipEntry.STORED);
      for (ZipEntry entry : entries) {
        assertThat(zip.getInputStream(entry)).hasContent(entry.getName());
      }
    }
    assertThat(BundleJar.sharedLibraries(copy)).hasSize(1);
  }
}
