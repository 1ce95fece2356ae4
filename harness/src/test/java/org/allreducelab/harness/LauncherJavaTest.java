package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import org.allreducelab.harness.FakeCheckout.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Java {@code ./lab} chooses, with which flags, and what it says where there is none. */
class LauncherJavaTest {
  @TempDir Path temp;
  private FakeCheckout checkout;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = new FakeCheckout(temp);
  }

  @Test
  void withoutAnyJavaItSaysWhatToInstall() {
    assertNeedsJdk("none");
  }

  @ParameterizedTest
  @CsvSource({"11.0.2,11", "1.8.0_412,8"})
  void anOldJavaIsRejectedInOneLine(String version, String feature) throws IOException {
    Path jdk = checkout.jdk(version);
    checkout.environment.put("JAVA_HOME", jdk.toString());
    assertNeedsJdk("Java " + feature + " in " + jdk);
  }

  private void assertNeedsJdk(String found) {
    Outcome outcome = checkout.lab("bench");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.err())
        .containsExactly(
            "lab: needs a JDK 17 or newer with javac, found "
                + found
                + "; install one (Debian/Ubuntu: apt-get install openjdk-17-jdk-headless) or point"
                + " JAVA_HOME at one");
  }

  @Test
  void aJavaWithoutCompilerRunsAJarButDoesNotBuildIt() throws IOException {
    checkout.jre("17.0.15");
    assertThat(checkout.lab().status()).isEqualTo(1);
    Path jdk = checkout.jdk("21");
    assertThat(checkout.lab().status()).isZero();
    try (var files = Files.walk(jdk)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }

    assertThat(checkout.lab("devices").out()).endsWith("devices");
  }

  @Test
  void aJavaHomeThatIsTooOldIsPassedOverAloud() throws IOException {
    Path old = checkout.jdk("11.0.2");
    Path jdk = checkout.jdk("17.0.15");
    checkout.lab();
    checkout.environment.put("JAVA_HOME", old.toString());
    Outcome outcome = checkout.lab();

    assertThat(outcome.status()).isZero();
    assertThat(outcome.err())
        .containsExactly(
            "lab: JAVA_HOME=" + old + " is no JDK 17 or newer with java; using " + jdk);
  }

  @Test
  void javaHomeComesBeforeThePathAndThePathBeforeTheFolder() throws IOException {
    checkout.jdk("17.0.1");
    Path onPath = checkout.jdk("24");
    Path chosen = checkout.jdk("25.0.3");
    Files.createSymbolicLink(temp.resolve("bin/java"), onPath.resolve("bin/java"));
    checkout.lab();
    checkout.environment.put("FAKE_JAVA", "echo \"$0\"");

    assertThat(checkout.lab().out()).startsWith(onPath + "/bin/java");
    checkout.environment.put("JAVA_HOME", chosen.toString());
    assertThat(checkout.lab().out()).startsWith(chosen + "/bin/java");
  }

  @ParameterizedTest
  @CsvSource({
    "17.0.15, --enable-native-access=ALL-UNNAMED",
    "21.0.2, --enable-native-access=ALL-UNNAMED",
    "24, --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow",
    "25.0.3, --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
        + " -Dorg.lwjgl.system.memoryBackend=ffm"
  })
  void passesOnlyFlagsThatTheJavaKnows(String version, String flags) throws IOException {
    checkout.jdk(version);

    assertThat(String.join(" ", checkout.lab().out()))
        .isEqualTo(
            flags
                + " -Dallreducelab.home="
                + checkout.root
                + " -jar "
                + checkout.root
                + "/harness/target/lab.jar");
  }
}
