package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import org.allreducelab.results.ForkStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JmhForkRunnerTest {
  /** Ctrl-C may end the fork before the lab knows of it; a resumed run must repeat that fork. */
  @ParameterizedTest
  @CsvSource({
    "130, INTERRUPTED",
    "137, INTERRUPTED",
    "143, INTERRUPTED",
    "1, FAILED",
    "134, FAILED",
    "13, FAILED"
  })
  void aForkThatASignalEndedIsInterruptedNotFailed(int exitCode, ForkStatus status)
      throws IOException {
    String failure = "Forked VM failed with exit code " + exitCode;

    ForkOutcome outcome = JmhForkRunner.outcome(0, Instant.EPOCH, 5, null, failure, null);

    assertThat(outcome.record().status()).isEqualTo(status);
    assertThat(outcome.record().done()).isEqualTo(status == ForkStatus.FAILED);
  }

  @Test
  void whatAForkReportedBeforeItWasStoppedIsKept() throws IOException {
    ForkReport report = new ForkReport("wrong bytes", null, null, null, "", null);

    ForkOutcome outcome =
        JmhForkRunner.outcome(
            0, Instant.EPOCH, 5, null, "Forked VM failed with exit code 143", report);

    assertThat(outcome.record().status()).isEqualTo(ForkStatus.FAILED);
    assertThat(outcome.record().failure()).isEqualTo("wrong bytes");
  }
}
