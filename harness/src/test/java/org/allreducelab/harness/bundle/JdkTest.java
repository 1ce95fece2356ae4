package org.allreducelab.harness.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {
  @TempDir Path temp;

  private Path jdk(String folder, String output) throws IOException {
    Path home = temp.resolve(folder);
    Path jlink = Files.createDirectories(home.resolve("bin")).resolve("jlink");
    Files.writeString(jlink, "#!/bin/sh\n" + output + "\n");
    assertThat(jlink.toFile().setExecutable(true)).isTrue();
    return home;
  }

  private Map<String, String> environment(String javaHome, String path) {
    return Map.of(
        "JAVA_HOME", javaHome, "PATH", path, "LAB_JVM_DIR", temp.resolve("jvms").toString());
  }

  @Test
  void theNewestWinsWhereverItIs() throws IOException {
    Path javaHome = jdk("home", "echo 90");
    Path onPath = jdk("path", "echo 90.0.1");
    jdk("jvms/a", "echo 9.9");
    jdk("jvms/broken", "exit 1");
    jdk("jvms/strange", "echo what");

    assertThat(Jdk.newest(environment(javaHome.toString(), "")).home()).isEqualTo(javaHome);
    assertThat(Jdk.newest(environment(javaHome.toString(), onPath + "/bin")).home())
        .isEqualTo(onPath);
    Path newest = jdk("jvms/newest", "echo 'NOTE: noise'; echo 91-ea");
    assertThat(Jdk.newest(environment(javaHome.toString(), onPath + "/bin")).home())
        .isEqualTo(newest);
  }

  @Test
  void aLinkOnThePathLeadsToItsJdk() throws IOException {
    Path home = jdk("real", "echo 90");
    Path bin = Files.createDirectory(temp.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("jlink"), home.resolve("bin/jlink"));

    assertThat(Jdk.newest(environment("", bin.toString())).home()).isEqualTo(home.toRealPath());
  }

  @Test
  void oldJdksDoNotCount() throws IOException {
    jdk("jvms/old", "echo 11.0.2");

    // What is left is the JDK that the tests run on.
    assertThat(Jdk.newest(environment("", "")).version().feature()).isGreaterThanOrEqualTo(17);
  }
}
