package org.allreducelab.algorithms.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The same bytes whether the JVM interprets or compiles: NaN payloads, for one, would differ. */
class JvmIndependenceTest {

  @Test
  void interpretedEqualsCompiled() throws Exception {
    long expected = SimulatorChecksum.compute();
    for (int warmUp = 0; warmUp < 30; warmUp++) {
      assertThat(SimulatorChecksum.compute()).isEqualTo(expected);
    }
    assertThat(interpreted()).isEqualTo(Long.toString(expected));
  }

  private static String interpreted() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath =
        location(ReferenceSimulator.class) + File.pathSeparator + location(SimulatorChecksum.class);
    Process process =
        new ProcessBuilder(java, "-Xint", "-cp", classPath, SimulatorChecksum.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return output;
  }

  private static Path location(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
