package org.allreducelab.harness.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.harness.cli.UsageException;
import org.junit.jupiter.api.Test;

class RecordedStepsTest {
  private static final List<Trace> TRACES =
      List.of(Trace.named("single-turn", 512, 64), Trace.named("speculative", 16, 8));

  @Test
  void areReadBackAsTheyWereWritten() {
    RecordedSteps steps = RecordedSteps.of(TRACES);

    assertThat(steps.text())
        .isEqualTo(
            "single-turn:prefill-512-1_decode-1-64;speculative:prefill-16-1_draft-1-1_verify-8-1");
    assertThat(RecordedSteps.parse(steps.text())).isEqualTo(steps);
    steps.requireSame(TRACES);
  }

  @Test
  void otherStepsUnderTheSameNameAreRefused() {
    RecordedSteps steps = RecordedSteps.of(TRACES);

    assertThatThrownBy(() -> steps.requireSame(List.of(Trace.named("single-turn", 512, 65))))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "trace single-turn has other steps now than when this run was started; restore its"
                + " file, or start a new run");
  }

  @Test
  void aDamagedRecordIsTold() {
    assertThatThrownBy(() -> RecordedSteps.parse("decode-1-8"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("trace-steps must be NAME:STEPS");
  }
}
