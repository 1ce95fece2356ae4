package org.allreducelab.harness.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.results.LatencySummary;
import org.junit.jupiter.api.Test;

class DecodeTextTest {
  private static DecodeRow row(String policy, Double... tokensPerS) {
    return row(policy, new StagingSummary(2, 1e6, 1, 1e5, 20480, 20480), tokensPerS);
  }

  private static DecodeRow row(String policy, StagingSummary staging, Double... tokensPerS) {
    return new DecodeRow(
        DecodeCases.of(policy, 0, Trace.named("single-turn", 10, 4), DecodeCases.PLAIN),
        View.DECODE,
        List.of(tokensPerS),
        new LatencySummary(1, 1, 1, 1, 1, 1, 1, 1),
        new LatencySummary(1, 1, 1, 1, 1, 1, 1, 1),
        null,
        staging);
  }

  @Test
  void theWinnerIsNamedWithAnInterval() {
    assertThat(
            Verdict.of(List.of(row("shrink", 30.0, 31.0, 32.0), row("grow-only", 2.4, 2.4, 2.5))))
        .isEqualTo(
            "winner: shrink, 31.00 tokens/s (30.00 to 32.00 over 3 forks); 2 reallocations while"
                + " decoding, 0.02 MiB resident at the peak of it, 12.92 times grow-only (12.00 to"
                + " 13.33)");
  }

  @Test
  void overlappingForksAreNoDifference() {
    assertThat(
            Verdict.of(
                List.of(
                    row("shrink", 30.0, 31.0, 32.0),
                    row("split", 29.0, 30.5, 31.0),
                    row("grow-only", 2.0, 2.0, 2.0))))
        .isEqualTo(
            "within noise of each other: shrink, split (their forks overlap); shrink has the"
                + " highest median, 31.00 tokens/s (30.00 to 32.00 over 3 forks); 2 reallocations"
                + " while decoding, 0.02 MiB resident at the peak of it, 15.50 times grow-only"
                + " (15.00 to 16.00)");
  }

  @Test
  void oneForkCannotTellADifference() {
    assertThat(Verdict.of(List.of(row("shrink", 30.0), row("grow-only", 2.0))))
        .startsWith("one fork each tells no difference: ");
  }

  @Test
  void whereNothingIsStagedThereIsNoWinner() {
    StagingSummary nothing = new StagingSummary(0, 0, 0, 0, 0, 0);
    assertThat(
            Verdict.of(
                List.of(row("shrink", nothing, 30.0, 31.0), row("split", nothing, 20.0, 21.0))))
        .isEqualTo(
            "nothing was staged, so policies decide nothing here and differ by noise alone: 20.00"
                + " to 31.00 tokens/s over all forks");
  }

  @Test
  void onePolicyIsJustDescribed() {
    assertThat(Verdict.of(List.of(row("shrink", 30.0))))
        .isEqualTo(
            "shrink: 30.00 tokens/s (30.00 to 30.00 over 1 fork); 2 reallocations while decoding,"
                + " 0.02 MiB resident at the peak of it");
  }
}
