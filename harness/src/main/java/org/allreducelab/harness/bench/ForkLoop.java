package org.allreducelab.harness.bench;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.allreducelab.harness.bench.ForkOrder.Step;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkStatus;

/**
 * Runs the forks of all cases, one after the other, and keeps each before the next starts.
 *
 * <p>JMH would run all forks of a case in a row. Here each fork is a JMH run of its own, so that
 * cases interleave ({@link ForkOrder}) and a killed run keeps what it had.
 */
final class ForkLoop {
  private final ForkRunner runner;
  private final RunLog log;
  private final BooleanSupplier stopRequested;
  private final LongSupplier nanoClock;
  private final Listener listener;

  /** Hears of the loop between forks, never while one is running. */
  interface Listener {
    /**
     * A fork is about to start.
     *
     * @param position its position among the forks of this session, from 1
     * @param total how many those are
     * @param elapsed time since the session started
     * @param remaining estimated from the forks so far; negative before the first is done
     */
    void starting(ForkCase forkCase, int position, int total, Duration elapsed, Duration remaining);

    /** A fork failed, and was kept as failed. */
    void failed(ForkCase forkCase, int fork, String failure);
  }

  /**
   * How a session ended.
   *
   * @param interrupted whether it was stopped, or a fork was, before all forks were done
   * @param failures forks of this session that failed
   */
  record Result(boolean interrupted, int failures) {}

  /**
   * @param stopRequested asked before each fork is started and before it is kept: a fork that was
   *     stopped on the way is no result
   * @param nanoClock as {@link System#nanoTime()}
   */
  ForkLoop(
      ForkRunner runner,
      RunLog log,
      BooleanSupplier stopRequested,
      LongSupplier nanoClock,
      Listener listener) {
    this.runner = runner;
    this.log = log;
    this.stopRequested = stopRequested;
    this.nanoClock = nanoClock;
    this.listener = listener;
  }

  /** Runs what is not done yet, in the order given. */
  Result run(List<? extends ForkCase> cases, List<Step> order) {
    List<Step> steps = order.stream().filter(step -> !isDone(cases, step)).toList();
    long start = nanoClock.getAsLong();
    int failures = 0;
    boolean anyInterrupted = false;
    for (int i = 0; i < steps.size(); i++) {
      if (stopRequested.getAsBoolean()) {
        return new Result(true, failures);
      }
      Step step = steps.get(i);
      ForkCase forkCase = cases.get(step.caseIndex());
      tellStart(forkCase, i, steps.size(), nanoClock.getAsLong() - start);
      ForkOutcome outcome = runner.run(forkCase, step.fork());
      if (stopRequested.getAsBoolean()) {
        return new Result(true, failures);
      }
      log.keep(forkCase.id(), outcome);
      anyInterrupted |= outcome.record().status() == ForkStatus.INTERRUPTED;
      if (outcome.record().status() == ForkStatus.FAILED) {
        failures++;
        listener.failed(forkCase, step.fork(), String.valueOf(outcome.record().failure()));
      }
    }
    return new Result(anyInterrupted, failures);
  }

  private boolean isDone(List<? extends ForkCase> cases, Step step) {
    return log.done(new ForkId(cases.get(step.caseIndex()).id(), step.fork()));
  }

  private void tellStart(ForkCase forkCase, int done, int total, long elapsedNs) {
    long remainingNs = done == 0 ? -1 : elapsedNs / done * (total - done);
    listener.starting(
        forkCase, done + 1, total, Duration.ofNanos(elapsedNs), Duration.ofNanos(remainingNs));
  }
}
