package org.allreducelab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunRecordTest {
  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
  private static final Verification EXACT = new Verification(Verdict.EXACT, 80, 0, false);
  private static final Verification WRONG = new Verification(Verdict.WRONG, 80, 2, false);
  private static final Score SCORE = new Score("avgt", 12.4, null, "us/op");
  private static final LatencySummary LATENCY =
      new LatencySummary(100, 1, 12_500, 12_410, 13_000, 15_020, 31_900, 40_000);

  @Test
  void statusFollowsFromTheForks() {
    RunRecord none = run(CASE);
    assertThat(none.finishedAt(START).status()).isEqualTo(RunStatus.INTERRUPTED);

    RunRecord one = none.withCase("ring", c -> c.withFork(ok(0)));
    assertThat(one.pending()).containsExactly(new ForkId("ring", 1));
    assertThat(one.finishedAt(START).status()).isEqualTo(RunStatus.INTERRUPTED);

    RunRecord complete = one.withCase("ring", c -> c.withFork(ok(1)));
    assertThat(complete.finishedAt(START).status()).isEqualTo(RunStatus.COMPLETE);

    RunRecord failed = one.withCase("ring", c -> c.withFork(failed(1)));
    assertThat(failed.finishedAt(START).status()).isEqualTo(RunStatus.FAILED);

    RunRecord stopped = one.withCase("ring", c -> c.withFork(ForkRecord.interrupted(1, START, 3)));
    assertThat(stopped.pending()).containsExactly(new ForkId("ring", 1));
    assertThat(stopped.resumedIn(stopped.environment()).caseOf("ring").forks())
        .containsExactly(ok(0));
  }

  @Test
  void rowsAreTidy() {
    RunRecord run = run(CASE).withCase("ring", c -> c.withFork(ok(0)).withFork(failed(1)));
    assertThat(run.rows()).hasSize(2);
    Row row = run.rows().get(0);
    assertThat(row.devices()).isEqualTo("vulkan:0+vulkan:1");
    assertThat(row.algorithm()).isEqualTo("ring");
    assertThat(row.p50Ns()).isEqualTo(12_410);
    assertThat(row.algbwGBs()).isCloseTo(1.6503, within(1e-4));
    assertThat(row.busbwGBs()).isCloseTo(2.4754, within(1e-4));
    assertThat(row.wrongElements()).isZero();

    Row failed = run.rows().get(1);
    assertThat(failed.status()).isEqualTo(ForkStatus.FAILED);
    assertThat(failed.wrongElements()).isEqualTo(2);
    assertThat(failed.p50Ns()).isNull();
    assertThat(failed.algbwGBs()).isNull();
  }

  @Test
  void aMedianBelowTheClockHasNoBandwidth() {
    LatencySummary zero = new LatencySummary(9, 0, 0.1, 0, 0, 1, 1, 1);
    ForkRecord fork =
        new ForkRecord(0, ForkStatus.OK, null, START, 9, EXACT, EXACT, SCORE, zero, null, null);
    Row row = run(CASE).withCase("ring", c -> c.withFork(fork)).rows().get(0);
    assertThat(row.p50Ns()).isZero();
    assertThat(row.algbwGBs()).isNull();
  }

  @Test
  void aWrongAnswerCannotBecomeAGoodNumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ForkRecord(
                    0, ForkStatus.OK, null, START, 9, EXACT, WRONG, SCORE, LATENCY, null, null))
        .withMessageContaining("wrong elements");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ForkRecord(
                    0,
                    ForkStatus.FAILED,
                    "wrong",
                    START,
                    9,
                    EXACT,
                    WRONG,
                    SCORE,
                    LATENCY,
                    null,
                    null));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ForkRecord.failed(0, START, 9, EXACT, WRONG, "wrong").withParts(TimeParts.UNKNOWN))
        .withMessageContaining("not ok");
    ForkRecord unverified =
        new ForkRecord(0, ForkStatus.OK, null, START, 9, EXACT, null, SCORE, LATENCY, null, null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CASE.withFork(unverified))
        .withMessageContaining("not verified twice");
    assertThat(CASE.asBaseline().withFork(unverified).forks()).hasSize(1);
  }

  @Test
  void contradictionsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> run(CASE, CASE))
        .withMessage("two cases have the id ring");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> run(CASE).withCase("ring", c -> c.withFork(ok(2))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> run(CASE).caseOf("tree"))
        .withMessageContaining("no case 'tree'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Verification(Verdict.EXACT, 80, 1, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Verification(Verdict.WRONG, 80, 81, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LatencySummary(1, 5, 5, 5, 5, 5, 5, 4));
    assertThatIllegalArgumentException().isThrownBy(() -> ResultKey.of("ring", 0, 8, "bf16"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResultKey.of("ring", 2, 8, "bf16").withGranule(0));
  }

  private static final CaseRecord CASE =
      CaseRecord.planned(
          "ring",
          "allreduce",
          List.of("vulkan:0", "vulkan:1"),
          ResultKey.of("ring", 4, 10240, "bf16"),
          20480,
          false,
          true);

  private static ForkRecord ok(int index) {
    return new ForkRecord(
        index, ForkStatus.OK, null, START, 9, EXACT, EXACT, SCORE, LATENCY, null, null);
  }

  private static ForkRecord failed(int index) {
    return ForkRecord.failed(index, START, 9, EXACT, WRONG, "2 wrong elements");
  }

  private static RunRecord run(CaseRecord... cases) {
    Environment environment =
        new Environment(
            new LabBuild("0.1.0", null, null),
            START,
            List.of("bench"),
            new Jvm("a JVM", "17", List.of()),
            new Machine("Linux", "6.1", "a processor", 2, 1L << 30, null, null),
            List.of(),
            List.of());
    SuiteInfo suite =
        new SuiteInfo(
            "smoke", 1, 2, new IterationPlan(1, 100), new IterationPlan(1, 100), Map.of());
    return RunRecord.planned(environment, suite, List.of(cases));
  }
}
