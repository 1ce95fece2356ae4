package org.allreducelab.harness.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.harness.cli.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TraceTest {
  static List<String> names() {
    return Trace.NAMES;
  }

  @ParameterizedTest
  @MethodSource("names")
  void stepsCrossIntoAForkAndBack(String name) {
    Trace trace = Trace.named(name, 512, 61);
    assertThat(Trace.decode(name, trace.encode())).isEqualTo(trace);
    assertThat(trace.encode()).matches("[A-Za-z0-9._-]+");
  }

  @ParameterizedTest
  @CsvSource({"single-turn", "multi-turn", "chunked-prefill", "ubatch-tail"})
  void allTokensAreDecodedOneByOne(String name) {
    Trace trace = Trace.named(name, 512, 61);
    assertThat(trace.steps().stream().filter(s -> s.phase() == Phase.DECODE))
        .hasSize(61)
        .allMatch(s -> s.tokens() == 1);
  }

  @Test
  void theShapesAreThoseOfTheNames() {
    assertThat(Trace.named("single-turn", 512, 64).encode()).isEqualTo("prefill-512-1_decode-1-64");
    assertThat(Trace.named("multi-turn", 512, 64).encode())
        .isEqualTo(
            "prefill-512-1_decode-1-16_prefill-512-1_decode-1-16_prefill-512-1_decode-1-16"
                + "_prefill-512-1_decode-1-16");
    assertThat(Trace.named("chunked-prefill", 16, 8).encode())
        .startsWith("prefill-2-1_decode-1-1_prefill-2-1");
    assertThat(Trace.named("speculative", 512, 16).encode())
        .isEqualTo("prefill-512-1_draft-1-1_verify-8-1_draft-1-1_verify-8-1");
    assertThat(Trace.named("ubatch-tail", 512, 4).encode())
        .startsWith("prefill-512-1_prefill-7-1_decode-1-1_prefill-512-1");
    assertThat(Trace.named("speculative", 512, 16).sizes()).containsExactly(1, 8, 512);
  }

  @Test
  void theFirstTokenIsTheOneBehindAPrefill() {
    Trace trace = Trace.named("ubatch-tail", 512, 8);
    assertThat(trace.firstAfterPrefill(0)).isFalse();
    assertThat(trace.firstAfterPrefill(1)).as("the tail of the prompt").isFalse();
    assertThat(trace.firstAfterPrefill(2)).isTrue();
    assertThat(trace.firstAfterPrefill(3)).isFalse();
  }

  @Test
  void unknownNamesAreTold() {
    assertThatThrownBy(() -> Trace.named("turns", 1, 1))
        .hasMessage(
            "unknown trace 'turns'; known: single-turn, multi-turn, chunked-prefill, speculative,"
                + " ubatch-tail, or a trace file (docs/decode.md)");
  }

  @Test
  void filesAreReadLineByLine() {
    Trace trace =
        TraceFile.parse(
            "mine",
            "mine.csv",
            List.of("# two turns", "phase,tokens,repeat", "prefill,100,1", "", "decode,1,3"));
    assertThat(trace.encode()).isEqualTo("prefill-100-1_decode-1-3");
    assertThat(TraceFile.parse("m", "m.csv", List.of("phase,tokens", "verify, 8")).encode())
        .isEqualTo("verify-8-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "decode,1,3|f:1: expected the header phase,tokens,repeat, not 'decode,1,3'",
        "phase,tokens;decode,0|f:2: tokens must be a whole number from 1 to 9999999, not '0'",
        "phase,tokens;decode|f:2: expected phase,tokens or phase,tokens,repeat, not 'decode'",
        "phase,tokens;sleep,1|f:2: unknown phase 'sleep'; known: decode, prefill, draft, verify",
        "phase,tokens;decode,1,200000|f:2: a trace may have at most 100000 steps",
        "phase,tokens|f: no step; expected a header and lines like decode,1,64"
      })
  void whatIsWrongInAFileIsToldWithItsPlace(String lines, String message) {
    assertThatThrownBy(() -> TraceFile.parse("f", "f", List.of(lines.split(";", -1))))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }

  /** The table of message sizes that the project starts from. */
  @ParameterizedTest
  @CsvSource({
    "3b, 12, 96, 6, 56",
    "8b, 16, 128, 8, 64",
    "32b, 20, 160, 10, 128",
    "70b, 32, 256, 16, 160"
  })
  void presetsHaveTheirSizes(
      String name, int oneTokenKib, int eightTokensKib, int prefillMib, int allReduces) {
    Model model = Model.named(name);
    assertThat(4 * model.count(1)).isEqualTo(oneTokenKib << 10);
    assertThat(4 * model.count(8)).isEqualTo(eightTokensKib << 10);
    assertThat(4 * model.count(512)).isEqualTo(prefillMib << 20);
    assertThat(model.allReduces()).isEqualTo(allReduces);
  }

  @Test
  void whatIsNoModelOrTooLargeIsTold() {
    assertThatThrownBy(() -> Model.named("7b"))
        .hasMessage("unknown model '7b'; known: 3b, 8b, 32b, 70b");
    assertThatThrownBy(() -> Model.named("70b").count(1_000_000))
        .hasMessage("1000000 tokens of model 70b are more elements than a vector can have");
  }
}
