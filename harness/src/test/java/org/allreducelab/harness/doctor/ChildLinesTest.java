package org.allreducelab.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Engine;
import org.allreducelab.backends.probe.Place;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.Rate;
import org.allreducelab.backends.probe.Speed;
import org.allreducelab.backends.probe.WrongByte;
import org.junit.jupiter.api.Test;

class ChildLinesTest {
  private static final Attempt ATTEMPT =
      new Attempt(Engine.KERNEL, new Block(8, 2_097_148), Place.NEIGHBOUR);

  @Test
  void everyLineIsReadBack() {
    assertThat(ChildLines.parse(ChildLines.step("a \"step\"\nof two")))
        .isEqualTo(new ChildLines.Step("a \"step\"\nof two"));
    assertThat(ChildLines.step("a\nb").lines()).hasSize(1);
    assertThat(ChildLines.parse(ChildLines.attempt(ATTEMPT)))
        .isEqualTo(new ChildLines.Moving(ATTEMPT));
    for (Rate rate : Arrays.asList(new Rate(1, 0.125), null)) {
      ProbeFinding ok =
          ProbeFinding.ok(new Speed(new Rate(1.5, 0.25), new Rate(1.25, 0.5), rate, 17));
      assertThat(ChildLines.parse(ChildLines.end(ok))).isEqualTo(new ChildLines.End(ok));
    }
    ProbeFinding corrupt = ProbeFinding.corrupt(new WrongByte(-4, 0xa5, 0xff), "outside");
    assertThat(ChildLines.parse(ChildLines.end(corrupt))).isEqualTo(new ChildLines.End(corrupt));
  }

  @Test
  void aDriversOutputOnTheSameLineDoesNotHideIt() {
    assertThat(ChildLines.parse("warning without an end" + ChildLines.attempt(ATTEMPT)))
        .isEqualTo(new ChildLines.Moving(ATTEMPT));
  }

  @Test
  void whatIsNotOursOrBrokenOffIsNothing() {
    String line = ChildLines.attempt(ATTEMPT);
    assertThat(ChildLines.parse("end of the world")).isNull();
    assertThat(ChildLines.parse("@doctor dance {}")).isNull();
    assertThat(ChildLines.parse(line.substring(0, line.length() - 3))).isNull();
  }
}
