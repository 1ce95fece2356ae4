package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.harness.FakeCheckout.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the {@code lab} script of this checkout with a fake Maven and fake JDKs. */
class LauncherTest {
  private static final String BUILD = "-B -q -Dmaven.test.skip=true package -pl harness -am";

  @TempDir Path temp;
  private FakeCheckout checkout;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = new FakeCheckout(temp);
  }

  @Test
  void buildsOnceAndThenRunsTheJarItHas() throws IOException {
    checkout.jdk("17.0.15");

    Outcome first = checkout.lab("devices");
    Outcome second = checkout.lab("devices");

    assertThat(first.status()).isZero();
    assertThat(first.err())
        .containsExactly(
            "lab: building harness/target/lab.jar (the first build fetches its libraries) ...");
    assertThat(second.err()).isEmpty();
    assertThat(second.out()).isEqualTo(first.out()).endsWith("devices");
    assertThat(checkout.mavenCalls()).containsExactly(BUILD);
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
    checkout.jdk("17.0.15");
    checkout.lab();
    checkout.edit(file);

    assertThat(checkout.lab().err()).containsExactly("lab: building harness/target/lab.jar ...");
    assertThat(checkout.mavenCalls()).hasSize(2);
  }

  @Test
  void buildsAgainAfterASourceWasDeleted() throws IOException {
    checkout.jdk("17.0.15");
    checkout.lab();
    Files.delete(checkout.root.resolve("algorithms/src/main/java/Ring.java"));
    checkout.lab();

    assertThat(checkout.mavenCalls()).hasSize(2);
  }

  @Test
  void doesNotBuildForATest() throws IOException {
    checkout.jdk("17.0.15");
    checkout.lab();
    checkout.edit("algorithms/src/test/java/RingTest.java");
    checkout.lab();

    assertThat(checkout.mavenCalls()).hasSize(1);
  }

  @Test
  void buildsAgainWhenASourceChangedDuringTheBuild() throws IOException {
    checkout.jdk("17.0.15");
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
    checkout.jdk("17.0.15");
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
    assertThat(checkout.mavenCalls()).containsExactly(BUILD);
  }

  @Test
  void aLockWhoseOwnerDiedIsTakenOver() throws IOException {
    checkout.jdk("17.0.15");
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
    checkout.jdk("17.0.15");
    Outcome outcome = checkout.lab("bench");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).hasSize(2).last().isEqualTo(expected.formatted(checkout.root));
    assertThat(checkout.root.resolve("target/lab/build.log")).isNotEmptyFile();
  }

  @Test
  void aKilledBuildLeavesNothingThatTheNextOneTrusts() throws IOException {
    checkout.jdk("17.0.15");
    Path halfWritten = checkout.root.resolve("algorithms/target/classes/Ring.class");
    FakeCheckout.write(halfWritten, "");
    checkout.environment.put("FAKE_MAVEN", "echo half >harness/target/lab.jar; kill -9 $$");
    assertThat(checkout.lab().status()).isEqualTo(137);
    checkout.environment.remove("FAKE_MAVEN");

    assertThat(checkout.lab("devices").out()).endsWith("devices");
    assertThat(halfWritten).doesNotExist();
    assertThat(checkout.root.resolve("harness/target/lab.jar")).hasContent("jar\n");
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

  @Test
  void passesArgumentsAsTheyAre() throws IOException {
    checkout.jdk("17.0.15");
    checkout.environment.put("LAB_JAVA_OPTS", "-Xmx1g -Dstar=*");

    assertThat(checkout.lab("bench", "--out", "a  b", "", "*", "$HOME", "\"q\"").out())
        .containsSubsequence("-Xmx1g", "-Dstar=*", "-jar")
        .endsWith("bench", "--out", "a  b", "", "*", "$HOME", "\"q\"");
  }

  @Test
  void worksThroughSymbolicLinksFromAnyDirectory() throws IOException {
    checkout.jdk("17.0.15");
    Path hop = Files.createSymbolicLink(temp.resolve("hop"), Path.of("check out/lab"));
    Path link = Files.createSymbolicLink(temp.resolve("link"), hop);

    Outcome outcome = FakeCheckout.finish(checkout.start(link, Path.of("/"), "devices"));

    assertThat(outcome.out()).contains("-Dallreducelab.home=" + checkout.root);
    assertThat(checkout.mavenCalls()).containsExactly(BUILD);
  }

  @Test
  void becomesTheJavaProcessSoThatSignalsReachItAndItsStatusIsKept() throws IOException {
    checkout.jdk("17.0.15");
    checkout.environment.put("FAKE_JAVA", "echo $$; exit 4");
    Outcome outcome = checkout.lab("bench");

    assertThat(outcome.out()).containsExactly(Long.toString(outcome.pid()));
    assertThat(outcome.status()).isEqualTo(4);
  }

  @Test
  void testRunsTheStrictBuildAndCountsItsReports() throws IOException {
    checkout.jdk("17.0.15");
    report("results", "OldTest", 9, 0, 0, 0);
    checkout.environment.put(
        "FAKE_MAVEN", "sleep 0.1; for f in */target/surefire-reports/TEST-New*; do touch $f; done");
    report("algorithms", "NewRingTest", 7, 1, 1, 2);
    report("harness", "NewLabTest", 5, 0, 0, 0);
    Files.setLastModifiedTime(
        checkout.root.resolve("results/target/surefire-reports/TEST-OldTest.xml"),
        FileTime.fromMillis(0));
    Outcome outcome = checkout.lab("test", "-pl", "a b");

    assertThat(checkout.mavenCalls())
        .containsExactly("-B --no-transfer-progress -Pstrict verify -pl a b");
    assertThat(outcome.out())
        .last()
        .asString()
        .matches("lab test: ok, 8 passed, 2 failed, 2 skipped, \\d+ s");
  }

  private void report(String module, String test, int run, int errors, int failures, int skipped)
      throws IOException {
    FakeCheckout.write(
        checkout.root.resolve(module + "/target/surefire-reports/TEST-" + test + ".xml"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="%s" time="0.1" tests="%d" errors="%d" skipped="%d" failures="%d">
        </testsuite>
        """
            .formatted(test, run, errors, skipped, failures));
  }

  @Test
  void testKeepsMavensStatus() throws IOException {
    checkout.jdk("17.0.15");
    checkout.environment.put("FAKE_MAVEN", "echo '[ERROR] no'; exit 7");
    Outcome outcome = checkout.lab("test");

    assertThat(outcome.status()).isEqualTo(7);
    assertThat(outcome.out()).first().isEqualTo("[ERROR] no");
    assertThat(outcome.out())
        .last()
        .asString()
        .matches(
            "lab test: FAILED \\(Maven's exit status 7\\), 0 passed, 0 failed, 0 skipped, \\d+ s");
  }

  /** As of {@code nohup ./lab test &}: tests of Ctrl-C would wait for what never arrives. */
  @ParameterizedTest
  @ValueSource(strings = {"", "exit 1"})
  void testHearsInterruptsAlsoWhereAShellHasItIgnoreThem(String env) throws IOException {
    checkout.jdk("17.0.15");
    checkout.environment.put("FAKE_MAVEN", "grep SigIgn /proc/$$/status");
    if (!env.isEmpty()) {
      checkout.program(
          "env",
          "[ \"$1\" != --default-signal=INT ] || %s; exec /usr/bin/env \"$@\"".formatted(env));
    }
    checkout.program("ignoring", "trap '' INT; exec \"$@\"");
    Outcome outcome =
        FakeCheckout.finish(
            checkout.start(
                temp.resolve("bin/ignoring"),
                checkout.root,
                checkout.root.resolve("lab").toString(),
                "test",
                "-pl",
                "a b"));

    assertThat(checkout.mavenCalls())
        .containsExactly("-B --no-transfer-progress -Pstrict verify -pl a b");
    String ignored = outcome.out().get(0).replaceFirst("SigIgn:\\s*", "");
    boolean ignoresInterrupts = (Long.parseUnsignedLong(ignored, 16) & 0b10) != 0;
    assertThat(ignoresInterrupts).isEqualTo(!env.isEmpty());
    assertThat(String.join(" ", outcome.err()).contains("run this in the foreground"))
        .isEqualTo(!env.isEmpty());
  }

  @Test
  void testTellsOnceWhyTestsWereSkipped() throws IOException {
    checkout.jdk("17.0.15");
    checkout.environment.put(
        "FAKE_MAVEN", "sleep 0.1; for f in */target/*-reports/TEST-*; do touch $f; done");
    String skipped =
        """
        <testsuite name="x" tests="1" errors="0" skipped="1" failures="0">
          <testcase name="a"><skipped message="no &quot;x&quot; &amp; no y&#10;here"/></testcase>
        </testsuite>
        """;
    for (String kind : List.of("surefire", "failsafe")) {
      FakeCheckout.write(
          checkout.root.resolve("harness/target/" + kind + "-reports/TEST-x.xml"), skipped);
    }
    Outcome outcome = checkout.lab("test");

    assertThat(outcome.out()).hasSize(2).first().isEqualTo("not tested: no \"x\" & no y here");
    assertThat(outcome.out()).last().asString().contains("0 passed, 0 failed, 2 skipped");
  }

  @Test
  void showsAnUnpackedSwiftShaderToTheVulkanLoader() throws IOException {
    checkout.jdk("17.0.15");
    checkout.environment.put("FAKE_JAVA", "echo \"${VK_ADD_DRIVER_FILES-unset}\"");
    checkout.environment.put("FAKE_MAVEN", "echo \"${VK_ADD_DRIVER_FILES-unset}\"");
    assertThat(checkout.lab("devices").out()).first().isEqualTo("unset");
    Path icd = temp.resolve("cache/allreduce-lab/swiftshader/vk_swiftshader_icd.json");
    FakeCheckout.write(icd, "{}");

    assertThat(checkout.lab("devices").out()).first().isEqualTo(icd.toString());
    assertThat(checkout.lab("test").out()).first().isEqualTo(icd.toString());
  }

  /** A driver that maps a cache file on a full disk takes the process with it. */
  @ParameterizedTest
  @CsvSource({"4095, true", "4096, unset"})
  void switchesMesasCacheOffWhereItsDiskIsFull(int freeKib, String disabled) throws IOException {
    checkout.jdk("17.0.15");
    Files.createDirectories(temp.resolve("cache"));
    checkout.program("df", "printf 'head\\n/dev/x 9 9 %d 9%%%% /\\n'".formatted(freeKib));
    checkout.environment.put("FAKE_JAVA", "echo \"${MESA_SHADER_CACHE_DISABLE-unset}\"");

    assertThat(checkout.lab("devices").out()).first().isEqualTo(disabled);
  }

  @ParameterizedTest
  @ValueSource(strings = {"VK_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES"})
  void leavesTheUsersChoiceOfVulkanDriversAlone(String variable) throws IOException {
    checkout.jdk("17.0.15");
    FakeCheckout.write(
        temp.resolve("cache/allreduce-lab/swiftshader/vk_swiftshader_icd.json"), "{}");
    checkout.environment.put(variable, "");
    checkout.environment.put("FAKE_JAVA", "echo \"${VK_ADD_DRIVER_FILES:-none}\"");

    assertThat(checkout.lab("devices").out()).first().isEqualTo("none");
  }
}
