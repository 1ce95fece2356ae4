package org.allreducelab.backends.device;

import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Deadline;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.Program;

/**
 * The invocations that a group's engine was given: starts them, waits for them within the group's
 * deadline, and at the end lets those end that can.
 *
 * @param <R> what the engine makes of a program
 */
final class Flight<R extends Recorded> {
  /**
   * How long one wait call lasts at most, so that a failed engine and the process's end are
   * noticed.
   */
  private static final long CHUNK_NS = 50_000_000;

  /** How often is looked for what can be released: each look may let one rank get on. */
  private static final long RELEASE_CHUNK_NS = 1_000_000;

  private final DeviceEngine<R> engine;
  private final Runnable requireGoingOn;
  private final long deadlineNs;
  private final Deadline deadline;
  private final GroupClock clock;
  private final InFlight inFlight;
  private final long[] progress;

  /**
   * @param requireGoingOn called now and then while waiting; throws to end the wait
   */
  Flight(GroupSpec spec, DeviceEngine<R> engine, Runnable requireGoingOn) {
    this.engine = engine;
    this.requireGoingOn = requireGoingOn;
    deadlineNs = spec.deadlineNs();
    deadline = new Deadline(deadlineNs);
    clock = new GroupClock(spec.ranks());
    progress = new long[engine.lanes()];
    inFlight = new InFlight(progress.length, engine.merges());
  }

  boolean isEmpty() {
    return inFlight.isEmpty();
  }

  /** Waits until there is room for another invocation. */
  void makeRoom() {
    if (!engine.hasRoom(inFlight.size())) {
      await();
    }
  }

  void submit(R recording, Program program) {
    // Whatever happens: what was submitted before a failure must be waited for too.
    inFlight.add(program, progress);
    try {
      engine.submit(recording, clock, progress);
    } finally {
      for (int lane = 0; lane < progress.length; lane++) {
        progress[lane] += recording.steps(lane);
      }
    }
    clock.advance(program);
  }

  /**
   * Waits for everything.
   *
   * @throws BackendException if the deadline passes; names who stopped
   */
  void await() {
    if (inFlight.isEmpty()) {
      return;
    }
    if (!reached()) {
      long[] values = new long[progress.length];
      for (int lane = 0; lane < values.length; lane++) {
        values[lane] = engine.value(lane);
      }
      throw inFlight.blame(values, deadlineNs);
    }
    clock.clear();
    inFlight.clear();
  }

  private boolean reached() {
    deadline.restart();
    for (long leftNs = deadline.leftNs(); leftNs >= 0; leftNs = deadline.leftNs()) {
      if (engine.await(progress, Math.min(leftNs, CHUNK_NS))) {
        return true;
      }
      requireGoingOn.run();
    }
    return false;
  }

  /**
   * Lets everything end, releasing who waits for what will never come.
   *
   * @param failed whether anything went wrong before, so that waiting alone is of no use
   * @return whether nothing works any more
   */
  boolean settle(boolean failed) {
    try {
      return engine.copiesEnd(deadlineNs)
          && (inFlight.isEmpty() || (!failed && ended()) || released());
    } catch (BackendException e) {
      engine.failed(e);
      return false;
    }
  }

  private boolean ended() {
    try {
      return reached();
    } catch (BackendException e) {
      engine.failed(e);
      return false;
    }
  }

  private boolean released() {
    long startNs = System.nanoTime();
    for (long leftNs = deadlineNs;
        leftNs > 0;
        leftNs = deadlineNs - (System.nanoTime() - startNs)) {
      if (engine.release(progress, Math.min(leftNs, RELEASE_CHUNK_NS))) {
        return true;
      }
    }
    return false;
  }
}
