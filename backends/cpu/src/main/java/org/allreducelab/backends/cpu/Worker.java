package org.allreducelab.backends.cpu;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Backoff;
import org.allreducelab.backends.Deadline;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.PaddedCounters;
import org.allreducelab.backends.Pause;
import org.allreducelab.backends.lowering.Program;
import org.jspecify.annotations.Nullable;

/**
 * Runs the submissions of some ranks, invocation by invocation, in the program's global order.
 *
 * <p>The thread that calls {@code await()} drives worker 0; each other worker has a thread of its
 * own. What carries data between them:
 *
 * <ul>
 *   <li>caller → worker: input written before {@code enqueue()} is ordered by the release store of
 *       the ring's count and the worker's acquire load of it;
 *   <li>rank → rank, in an invocation: a rank's writes are ordered by the release store of its
 *       progress and the peer's acquire load of that value or a later one. Progress only grows and
 *       one thread stores it, so a later value carries everything before it;
 *   <li>rank → rank, between invocations: a rank overwrites what a peer read only after an acquire
 *       load of the peer's progress, whose release store came after that read; this orders the read
 *       before the write;
 *   <li>ranks of one worker: program order;
 *   <li>worker → caller: results are ordered by the release store of the worker's count of
 *       completed invocations and the caller's acquire load of it in {@code await()}.
 * </ul>
 *
 * <p>No deadlock: order all submissions by (invocation, position in the global order). Every wait
 * refers to an earlier one, and a worker's next submission is its earliest. So the earliest
 * submission that is not done is some worker's next, and waits for nothing that is not done.
 */
final class Worker implements Runnable {
  /** Waits for no rank. */
  static final int NOBODY = -1;

  private final int id;
  private final Shared shared;
  private final Deadline deadline;
  private final FaultPlan faults;
  private final boolean faulty;
  private final WorkerClock clock;
  private final RankMemory memory;
  private final CoreSharing sharing = new CoreSharing();

  private volatile boolean parked;
  private int blockedOn = NOBODY;

  /** What the workers of a group have in common. */
  record Shared(
      PaddedCounters progress,
      PaddedCounters completed,
      InvocationRing ring,
      RunState state,
      @Nullable EmulatedProxy proxy) {}

  Worker(int id, int ranks, Shared shared, Deadline deadline, FaultPlan faults, RankMemory memory) {
    this.id = id;
    this.shared = shared;
    this.deadline = deadline;
    this.faults = faults;
    this.memory = memory;
    faulty = faults.stall() != null || faults.bitFlip() != null;
    clock = new WorkerClock(ranks);
  }

  /** How many invocations it executed: for the thread that drives it. */
  long executed() {
    return clock.executed();
  }

  /** The step at which it stands, or null; exact once it stopped. */
  @Nullable Step standing() {
    int step = clock.step();
    return step == WorkerClock.NO_STEP ? null : present().shares[id].steps[step];
  }

  /** What it executes; only while it {@linkplain #standing() stands} somewhere. */
  Program executing() {
    return Objects.requireNonNull(present().program);
  }

  private Recording present() {
    return shared.ring.get(clock.executed());
  }

  /** The rank it waits for, or {@link #NOBODY}. */
  int blockedOn() {
    return blockedOn;
  }

  /** Whether its thread sleeps until somebody wakes it. */
  boolean parked() {
    return parked;
  }

  @Override
  public void run() {
    try {
      while (awaitWork()) {
        if (!executeNext()) {
          return;
        }
      }
    } finally {
      LiveObjects.closed("cpu worker");
    }
  }

  /** Waits for an invocation; false when the group stops. */
  private boolean awaitWork() {
    for (int attempt = 0; shared.ring.lvPublished() <= clock.executed(); attempt++) {
      if (shared.state.stopped()) {
        return false;
      }
      if (!Backoff.idle(attempt)) {
        park();
      }
    }
    return true;
  }

  /**
   * A volatile store, then another look by a volatile load: either this sees the new count or stop,
   * or whoever stored that (by a volatile store) sees the flag and unparks. Volatile accesses have
   * one order that all threads agree on, so one of the two comes first. An acquire load would not
   * do: it may be moved before the store. An unpark that comes before the park makes that return.
   *
   * <p>It is the only sleep without an end; waits for ranks sleep in pieces ({@link Backoff}).
   */
  private void park() {
    parked = true;
    if (shared.ring.vlPublished() <= clock.executed() && !shared.state.stopped()) {
      LockSupport.park(this);
    }
    parked = false;
  }

  /**
   * Executes its part of the oldest invocation it has not executed.
   *
   * @return false if the group stopped or the deadline passed meanwhile
   */
  boolean executeNext() {
    try {
      Recording recording = present();
      if (recording.computeNs > 0 && !compute(recording.computeNs)) {
        return false;
      }
      Recording.Share share = recording.shares[id];
      Step[] steps = share.steps;
      for (int i = 0; i < steps.length; i++) {
        clock.enter(i);
        if (!execute(steps[i])) {
          return false;
        }
      }
      clock.advance(share, recording.submissions);
      shared.completed.so(id, clock.executed());
      return true;
    } catch (Throwable e) { // whatever it is, the waiting caller must hear of it
      Step at = standing();
      String where = at == null ? "" : " in rank " + at.rank + ", " + at.submission.operation();
      shared.state.fail(new BackendException("cpu worker " + id + " failed" + where + ": " + e, e));
      return false;
    }
  }

  private boolean execute(Step step) {
    if (faulty && stalls(step)) {
      return neverGetsOn();
    }
    for (int i = 0; i < step.waitRanks.length; i++) {
      int peer = step.waitRanks[i];
      if (!awaitProgress(peer, clock.base(peer) + step.waitValues[i])) {
        return false;
      }
    }
    for (int reader : step.lateReaders) {
      if (!awaitProgress(reader, clock.lateReader(step.rank, reader))) {
        return false;
      }
    }
    EmulatedProxy proxy = shared.proxy;
    if (proxy != null && step.waits > 0) {
      proxy.serve(step.rank, step.waits);
    }
    step.run();
    if (faulty) {
      flip(step);
    }
    shared.progress.so(step.rank, clock.base(step.rank) + step.value);
    return true;
  }

  /** Computes once everything before has completed on all ranks, that is, in all workers. */
  private boolean compute(long durationNs) {
    for (int id = 0; id < shared.completed.count(); id++) {
      for (int attempt = 0; shared.completed.lv(id) < clock.executed(); attempt++) {
        if (Backoff.checksIn(attempt) && givesUp()) {
          return false;
        }
        Backoff.pause(attempt);
      }
    }
    Pause.until(System.nanoTime() + durationNs);
    return true;
  }

  private boolean awaitProgress(int peer, long value) {
    return shared.progress.lv(peer) >= value || awaitLonger(peer, value);
  }

  private boolean awaitLonger(int peer, long value) {
    int attempt = 0;
    for (; shared.progress.lv(peer) < value; attempt++) {
      if (Backoff.checksIn(attempt) && givesUp()) {
        blockedOn = peer;
        return false;
      }
      Backoff.pause(attempt);
    }
    sharing.waited(attempt);
    return true;
  }

  private boolean givesUp() {
    return shared.state.stopped() || deadline.passed();
  }

  private boolean stalls(Step step) {
    FaultPlan.Stall stall = faults.stall();
    return stall != null && stall.rank() == step.rank && number(step) >= stall.submission();
  }

  private boolean neverGetsOn() {
    for (int attempt = 0; !givesUp(); attempt++) {
      Backoff.pause(attempt);
    }
    return false;
  }

  private void flip(Step step) {
    FaultPlan.BitFlip flip = faults.bitFlip();
    if (flip == null || flip.rank() != step.rank || flip.submission() != number(step)) {
      return;
    }
    byte[] slots = memory.slots(step.rank);
    if (flip.byteOffset() >= slots.length) {
      throw new BackendException(
          "no byte " + flip.byteOffset() + " to flip in " + slots.length + " bytes of slots");
    }
    slots[(int) flip.byteOffset()] ^= (byte) (1 << flip.bit());
  }

  /** The submission's number over the life of the group, from 0. */
  private long number(Step step) {
    return clock.base(step.rank) + step.value - 1;
  }
}
