package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.ForkStatus;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.Score;
import org.junit.jupiter.api.Test;

class ForkLoopTest {
  private static final List<BenchCase> CASES =
      List.of(
          Cases.on("fake:0", "ring", 8),
          Cases.on("fake:0", "naive", 8),
          Cases.on("fake:0", "two-shot", 8));

  private final List<String> events = new ArrayList<>();
  private final Set<ForkId> done = new HashSet<>();
  private final List<Duration> remaining = new ArrayList<>();
  private long nowNs;
  private int stopAfter = Integer.MAX_VALUE;
  private int started;
  private String signalled = "";

  private ForkOutcome runFork(BenchCase benchCase, int fork) {
    events.add("run " + benchCase.algorithm() + fork);
    started++;
    nowNs += 1_000_000_000L;
    boolean fails = benchCase.algorithm().equals("naive") && fork == 1;
    ForkRecord record =
        fails
            ? ForkRecord.failed(fork, Instant.EPOCH, 1, null, null, "it broke")
            : benchCase.algorithm().equals(signalled)
                ? ForkRecord.interrupted(fork, Instant.EPOCH, 1)
                : ok(fork);
    return new ForkOutcome(record, null, null);
  }

  private static ForkRecord ok(int fork) {
    return new ForkRecord(
        fork,
        ForkStatus.OK,
        null,
        Instant.EPOCH,
        1,
        null,
        null,
        new Score("avgt", 1, null, "us/op"),
        new LatencySummary(1, 1, 1, 1, 1, 1, 1, 1),
        null,
        null);
  }

  private final RunLog log =
      new RunLog() {
        @Override
        public boolean done(ForkId fork) {
          return done.contains(fork);
        }

        @Override
        public void keep(String caseId, ForkOutcome outcome) {
          boolean failed = outcome.record().status() == ForkStatus.FAILED;
          events.add(
              "keep " + caseId.split("-", -1)[2] + outcome.record().index() + (failed ? "!" : ""));
        }
      };

  private final ForkLoop.Listener listener =
      new ForkLoop.Listener() {
        @Override
        public void starting(
            ForkCase forkCase, int position, int total, Duration elapsed, Duration left) {
          events.add("start " + position + "/" + total);
          remaining.add(left);
        }

        @Override
        public void failed(ForkCase forkCase, int fork, String failure) {
          events.add("failed " + ((BenchCase) forkCase).algorithm() + fork + " " + failure);
        }
      };

  private ForkLoop.Result loop(int forks) {
    return new ForkLoop(
            (c, fork) -> runFork((BenchCase) c, fork),
            log,
            () -> started >= stopAfter,
            () -> nowNs,
            listener)
        .run(CASES, ForkOrder.of(CASES.size(), forks, 1));
  }

  @Test
  void keepsEachForkBeforeTheNextStarts() {
    assertThat(loop(2)).isEqualTo(new ForkLoop.Result(false, 1));

    List<String> work = events.stream().filter(e -> e.matches("(run|keep) .*")).toList();
    assertThat(work).hasSize(12);
    for (int i = 0; i < work.size(); i += 2) {
      assertThat(work.get(i)).startsWith("run ");
      assertThat(work.get(i + 1)).startsWith("keep ");
    }
  }

  @Test
  void aFailedForkIsKeptAndTheRunGoesOn() {
    loop(2);

    int failure = events.indexOf("failed naive1 it broke");
    assertThat(events.get(failure - 1)).matches("keep .*1!");
    assertThat(events.stream().filter(e -> e.startsWith("run "))).hasSize(6);
  }

  @Test
  void aForkThatWasStoppedIsNotKept() {
    stopAfter = 2;

    assertThat(loop(2).interrupted()).isTrue();
    assertThat(events.stream().filter(e -> e.startsWith("run "))).hasSize(2);
    assertThat(events.stream().filter(e -> e.startsWith("keep "))).hasSize(1);
  }

  @Test
  void aForkThatASignalEndedLeavesTheRunInterrupted() {
    signalled = "two-shot";

    assertThat(loop(2)).isEqualTo(new ForkLoop.Result(true, 1));
    assertThat(events.stream().filter(e -> e.startsWith("failed "))).hasSize(1);
  }

  @Test
  void whatAnEarlierSessionDidIsLeftOut() {
    for (BenchCase c : CASES) {
      done.add(new ForkId(c.id(), 0));
    }
    loop(2);

    assertThat(events.stream().filter(e -> e.startsWith("run "))).allMatch(e -> e.endsWith("1"));
    assertThat(events).contains("start 1/3", "start 3/3");
  }

  @Test
  void estimatesTheRestFromTheForksSoFar() {
    loop(1);

    assertThat(remaining.get(0).isNegative()).isTrue();
    assertThat(remaining.subList(1, 3))
        .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(1));
  }
}
