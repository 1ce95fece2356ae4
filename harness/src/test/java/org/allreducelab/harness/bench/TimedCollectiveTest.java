package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.cpu.CpuBackend;
import org.allreducelab.harness.SimulatedBackend;
import org.allreducelab.results.TimeParts;
import org.allreducelab.results.Verdict;
import org.allreducelab.results.Verification;
import org.junit.jupiter.api.Test;

class TimedCollectiveTest {
  /** Much longer than all else that an all-reduce of the test does. */
  private static final long SLOW_NS = 2_000_000;

  @Test
  void verifiesRunsAndVerifiesAgain() {
    try (TimedCollective timed =
        new TimedCollective(Cases.on("fake:0", "ring", 1000), new SimulatedBackend(), 1)) {
      assertThat(timed.verify().verdict()).isEqualTo(Verdict.EXACT);
      assertThat(timed.run()).isPositive();
      assertThat(timed.verify().verdict()).isEqualTo(Verdict.EXACT);
    }
    assertThat(LiveObjects.snapshot())
        .doesNotContainKeys(SimulatedBackend.LIVE_GROUPS, SimulatedBackend.LIVE_COLLECTIVES);
  }

  @Test
  void aFaultAfterTheFirstVerificationIsFound() {
    try (TimedCollective timed =
        new TimedCollective(Cases.on("fake:1", "ring", 1000), new SimulatedBackend(), 1)) {
      assertThat(timed.verify().wrongElements()).isZero();
      timed.run();
      assertThat(timed.verify().wrongElements()).isEqualTo(2);
    }
  }

  @Test
  void inPlaceTheInputsAreRestored() {
    try (TimedCollective timed =
        new TimedCollective(
            Cases.on("fake:0", 3, "two-shot", 1000, true), new SimulatedBackend(), 1)) {
      assertThat(timed.verify().verdict()).isEqualTo(Verdict.EXACT);
      for (int i = 0; i < 200; i++) {
        timed.restoreInputs();
        timed.run();
      }
      assertThat(timed.verify().verdict()).isEqualTo(Verdict.EXACT);
    }
  }

  @Test
  void thePartsOfItsTimeComeFromTheTimedGroupAndFromOneWithTimestamps() {
    try (TimedCollective timed =
        new TimedCollective(
            Cases.on("fake:0", 3, "two-shot", 1000, true), new SimulatedBackend(), 1)) {
      assertParts(timed.parts(), new TimeParts(1000L, 4000L, 2000L, 2000L, null));
    }
    assertThat(LiveObjects.snapshot())
        .doesNotContainKeys(SimulatedBackend.LIVE_GROUPS, SimulatedBackend.LIVE_COLLECTIVES);
  }

  /** What one element takes is measured by the clock, and never nothing: the rest is made up. */
  private static void assertParts(TimeParts actual, TimeParts expected) {
    assertThat(actual)
        .usingRecursiveComparison()
        .ignoringFields("oneElementNs")
        .isEqualTo(expected);
    assertThat(actual.oneElementNs()).isPositive();
  }

  @Test
  void aGraphExecutesAllOfItAndATimeIsAnAllReducesShare() {
    BenchCase graphs = Cases.on("cpu", 2, "one-shot", 100, false, 3, 4);
    int[] rounds = {0};
    SimulatedBackend slow =
        SimulatedBackend.cpu(
            (schedule, round, states) -> {
              rounds[0]++;
              LockSupport.parkNanos(SLOW_NS);
            });
    try (TimedCollective timed = new TimedCollective(graphs, slow, 1)) {
      long startNs = System.nanoTime();
      long eachNs = timed.run();
      long allNs = System.nanoTime() - startNs;
      assertThat(rounds[0]).isEqualTo(3 * 4);
      assertThat(12 * eachNs).isBetween(allNs / 2, allNs);
      assertParts(timed.parts(), new TimeParts(250L, 1000L, 500L, 500L, null));
    }
    assertThat(graphs.operations()).isEqualTo(12);
  }

  /** The fault shows from a group's third invocation on: in this one before it is verified. */
  @Test
  void wrongBytesHaveNoDeviceTime() {
    try (TimedCollective timed =
        new TimedCollective(Cases.on("fake:1", "ring", 1000), new SimulatedBackend(), 1)) {
      assertThatThrownBy(timed::parts)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "wrong bytes with device timestamps: 1 of 2000 elements differ from the simulator's");
    }
  }

  @Test
  void aBackendThatMeasuresNoPartsHasOnlyTheTimeOfOneElement() {
    try (TimedCollective timed =
        new TimedCollective(Cases.on("cpu", "ring", 1000), new CpuBackend(), 1)) {
      assertParts(timed.parts(), TimeParts.UNKNOWN);
    }
  }

  @Test
  void aRankAloneAndABareCopyHaveNoSignalsToTime() {
    BenchCase alone = Cases.on("cpu", 1, "ring", 1000, false);
    BenchCase bare = Cases.on("cpu", 2, "ring", 1000, false).asBare();
    for (BenchCase without : List.of(alone, bare)) {
      try (TimedCollective timed = new TimedCollective(without, new CpuBackend(), 1)) {
        assertThat(timed.parts()).isEqualTo(TimeParts.UNKNOWN);
      }
    }
  }

  @Test
  void ofABareCopyOnlyRankZeroHasAResult() {
    BenchCase bare = Cases.on("fake:0", 3, "ring", 1000, true).asBare();
    try (TimedCollective timed = new TimedCollective(bare, new SimulatedBackend(), 1)) {
      // Data of every kind, then the timed data.
      assertThat(timed.verify()).isEqualTo(new Verification(Verdict.EXACT, 2000, 0, false));
    }
  }
}
