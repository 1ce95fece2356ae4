package org.allreducelab.harness.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs a bundle's launcher with a Java that prints what it finds in its environment. */
class LauncherScriptTest {
  @TempDir Path temp;

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  /** A driver that maps a cache file on a full disk takes the process with it. */
  @ParameterizedTest
  @CsvSource({
    "XDG_CACHE_HOME, cache, 4095, true",
    "XDG_CACHE_HOME, cache, 4096, unset",
    "HOME, ., 0, true",
    "HOME, nowhere, 0, unset"
  })
  void switchesMesasCacheOffWhereItsDiskIsFull(
      String variable, String folder, int freeKib, String disabled) throws Exception {
    Path bundle = Files.createDirectories(temp.resolve("a bundle"));
    Launcher.write(17, bundle.resolve("lab"));
    script(
        bundle.resolve("runtime/bin/java"),
        "echo \"${MESA_SHADER_CACHE_DISABLE-unset}\"; printf '%s\\n' \"$@\"");
    Files.createDirectories(temp.resolve("cache"));
    Files.createDirectories(temp.resolve(".cache"));
    script(temp.resolve("bin/df"), "printf 'head\\n/dev/x 9 9 " + freeKib + " 9%% /\\n'");
    ProcessBuilder builder =
        new ProcessBuilder(bundle.resolve("lab").toString(), "devices")
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                temp.resolve("bin") + ":/usr/local/bin:/usr/bin:/bin",
                "TMPDIR",
                temp.toString(),
                variable,
                temp.resolve(folder).toString()));
    Process process = builder.start();
    try (var out = process.inputReader()) {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(out.lines()).startsWith(disabled).endsWith("devices");
    }
    assertThat(process.exitValue()).isZero();
  }
}
