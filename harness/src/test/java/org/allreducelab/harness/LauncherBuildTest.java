package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.harness.FakeCheckout.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When {@code ./lab} builds the jar, and what it says of builds that fail. */
class LauncherBuildTest {
  @TempDir Path temp;
  private FakeCheckout checkout;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = new FakeCheckout(temp);
    checkout.jdk("17.0.15");
  }

  @Test
  void buildsOnceAndThenRunsTheJarItHas() throws IOException {

    Outcome first = checkout.lab("devices");
    Outcome second = checkout.lab("devices");

    assertThat(first.status()).isZero();
    assertThat(first.err())
        .containsExactly(
            "lab: building harness/target/lab.jar (the first build fetches its libraries) ...");
    assertThat(second.err()).isEmpty();
    assertThat(second.out()).isEqualTo(first.out()).endsWith("devices");
    assertThat(checkout.mavenCalls()).containsExactly(FakeCheckout.BUILD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pom.xml",
        "backends/cpu/pom.xml",
        ".mvn/jvm.config",
        "algorithms/src/main/java/Ring.java",
        "backends/cpu/src/main/java/Cpu.java"
      })
  void buildsAgainAfterAnEdit(String file) throws IOException {
    checkout.lab();
    checkout.edit(file);

    assertThat(checkout.lab().err()).containsExactly("lab: building harness/target/lab.jar ...");
    assertThat(checkout.mavenCalls()).hasSize(2);
  }

  @Test
  void buildsAgainAfterASourceWasDeleted() throws IOException {
    checkout.lab();
    Files.delete(checkout.root.resolve("algorithms/src/main/java/Ring.java"));
    checkout.lab();

    assertThat(checkout.mavenCalls()).hasSize(2);
  }

  @Test
  void doesNotBuildForATest() throws IOException {
    checkout.lab();
    checkout.edit("algorithms/src/test/java/RingTest.java");
    checkout.lab();

    assertThat(checkout.mavenCalls()).hasSize(1);
  }

  @Test
  void buildsAgainWhenASourceChangedDuringTheBuild() throws IOException {
    checkout.environment.put(
        "FAKE_MAVEN", "sleep 0.1; touch algorithms/src/main/java/Ring.java; sleep 0.1");
    checkout.lab();
    checkout.environment.remove("FAKE_MAVEN");
    checkout.lab();
    checkout.lab();

    assertThat(checkout.mavenCalls()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void concurrentFirstCallsBuildOnce(boolean flock) throws IOException {
    if (flock) {
      checkout.withFlock();
    }
    checkout.environment.put("FAKE_MAVEN", "sleep 1");

    List<Process> calls =
        IntStream.range(0, 4)
            .mapToObj(i -> checkout.start(checkout.root.resolve("lab"), temp, "run" + i))
            .toList();
    List<Outcome> outcomes = calls.stream().map(FakeCheckout::finish).toList();

    assertThat(outcomes).extracting(Outcome::status).containsOnly(0);
    assertThat(outcomes)
        .filteredOn(
            outcome ->
                outcome
                    .err()
                    .contains("lab: waiting for another build or test run in this checkout"))
        .hasSize(3);
    assertThat(checkout.mavenCalls()).containsExactly(FakeCheckout.BUILD);
  }

  @Test
  void aLockWhoseOwnerDiedIsTakenOver() throws IOException {
    Process dead = checkout.start(checkout.root.resolve("lab"), temp, "setup", "x");
    FakeCheckout.finish(dead);
    FakeCheckout.write(checkout.root.resolve("target/lab/lock/pid"), dead.pid() + "\n");

    assertThat(checkout.lab().status()).isZero();
    assertThat(checkout.root.resolve("target/lab/lock")).doesNotExist();
  }

  @Test
  void aFailedBuildIsOneLineWithTheCompilersFirstError() throws IOException {
    checkout.environment.put(
        "FAKE_MAVEN",
        "echo '[ERROR] COMPILATION ERROR :'; echo '[ERROR] /a/Ring.java:[3,1] no'; exit 1");
    assertFailsToBuild(
        "lab: the build failed: /a/Ring.java:[3,1] no (Maven's log: %s/target/lab/build.log)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wget: Failed to fetch Maven",
        "[ERROR] Could not transfer artifact x:y:jar:1",
        "[ERROR] Cannot access central in offline mode"
      })
  void aFirstBuildWithoutNetworkSaysSo(String line) throws IOException {
    checkout.environment.put("FAKE_MAVEN", "echo '" + line + "'; exit 1");
    assertFailsToBuild(
        "lab: the first build needs the network to fetch its libraries, and could not fetch them;"
            + " Maven's log: %s/target/lab/build.log");
  }

  private void assertFailsToBuild(String expected) throws IOException {
    Outcome outcome = checkout.lab("bench");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).hasSize(2).last().isEqualTo(expected.formatted(checkout.root));
    assertThat(checkout.root.resolve("target/lab/build.log")).isNotEmptyFile();
  }

  @Test
  void aKilledBuildLeavesNothingThatTheNextOneTrusts() throws IOException {
    Path halfWritten = checkout.root.resolve("algorithms/target/classes/Ring.class");
    FakeCheckout.write(halfWritten, "");
    checkout.environment.put("FAKE_MAVEN", "echo half >harness/target/lab.jar; kill -9 $$");
    assertThat(checkout.lab().status()).isEqualTo(137);
    checkout.environment.remove("FAKE_MAVEN");

    assertThat(checkout.lab("devices").out()).endsWith("devices");
    assertThat(halfWritten).doesNotExist();
    assertThat(checkout.root.resolve("harness/target/lab.jar")).hasContent("jar\n");
  }
}
