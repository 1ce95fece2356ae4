package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.allreducelab.harness.FakeCheckout.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./lab test}: a strict Maven build, and a last line that counts its tests. */
class LauncherTestCommandTest {
  @TempDir Path temp;
  private FakeCheckout checkout;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = new FakeCheckout(temp);
    checkout.jdk("17.0.15");
  }

  @Test
  void runsTheStrictBuildAndCountsItsReports() throws IOException {
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
  void keepsMavensStatus() throws IOException {
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
  void hearsInterruptsAlsoWhereAShellHasItIgnoreThem(String env) throws IOException {
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
  void tellsOnceWhyTestsWereSkipped() throws IOException {
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
}
