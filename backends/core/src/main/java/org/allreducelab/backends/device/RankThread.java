package org.allreducelab.backends.device;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.allreducelab.backends.Backoff;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.lowering.PeerWait;

/**
 * The host thread of one rank: for each of the rank's submissions it waits for peers' progress, has
 * the device execute, and counts the rank's progress up. A wait spins, then yields, then sleeps in
 * short pieces; with nothing enqueued the thread parks. Allocates nothing per invocation.
 */
final class RankThread implements AutoCloseable {
  private static final String KIND = "rank thread";

  private final int rank;
  private final HostRun run;
  private final Thread thread;
  private volatile boolean parked;
  private boolean closed;

  RankThread(int rank, HostRun run) {
    this.rank = rank;
    this.run = run;
    thread = new Thread(this::loop, "rank-" + rank);
    thread.setDaemon(true);
    LiveObjects.opened(KIND);
    thread.start();
  }

  /** There is something new to look at. */
  void wake() {
    if (parked) {
      LockSupport.unpark(thread);
    }
  }

  private void loop() {
    long next = 0;
    while (awaitInvocation(next)) {
      HostRun.Invocation invocation = run.invocation(next++);
      try {
        execute(invocation);
      } catch (RuntimeException e) {
        run.failed(rank, e);
        awaitRelease();
        execute(invocation);
      }
    }
  }

  /** False when the thread should end. */
  private boolean awaitInvocation(long number) {
    for (int attempt = 0; run.enqueued() <= number; attempt++) {
      if (run.closing) {
        return false;
      }
      if (!Backoff.idle(attempt)) {
        parked = true;
        // Looked at again after it can be seen that this thread parks: no wake-up is missed.
        if (run.enqueued() <= number && !run.closing) {
          LockSupport.park(run);
        }
        parked = false;
        attempt = 0;
      }
    }
    return true;
  }

  private void execute(HostRun.Invocation invocation) {
    HostRecording recording = invocation.recording();
    List<HostRecording.Step> steps = recording.stepsOf(rank);
    RankDevice.Work work = recording.workOf(rank);
    for (int i = 0; i < steps.size(); i++) {
      HostRecording.Step step = steps.get(i);
      long before = invocation.start(rank) + step.value() - 1;
      if (run.progress.lv(rank) > before) {
        // Done before a failure further on.
        continue;
      }
      stallIfPlanned(before);
      awaitPeers(step, invocation);
      if (!run.released) {
        work.run(step.submission());
        flipIfPlanned(before);
      }
      run.progress.so(rank, before + 1);
    }
  }

  private void awaitPeers(HostRecording.Step step, HostRun.Invocation invocation) {
    for (int i = 0; i < step.waits().size(); i++) {
      PeerWait wait = step.waits().get(i);
      int peer = wait.peer();
      long needed = wait.needed(invocation.start(peer), invocation.lateReader(rank, peer));
      for (int attempt = 0; run.progress.lv(peer) < needed && !run.released; attempt++) {
        Backoff.pause(attempt);
      }
    }
  }

  private void awaitRelease() {
    for (int attempt = 0; !run.released; attempt++) {
      Backoff.pause(attempt);
    }
  }

  private void stallIfPlanned(long submission) {
    FaultPlan.Stall stall = run.faults.stall();
    if (stall != null && stall.rank() == rank && submission >= stall.submission()) {
      awaitRelease();
    }
  }

  private void flipIfPlanned(long submission) {
    FaultPlan.BitFlip flip = run.faults.bitFlip();
    if (flip != null && flip.rank() == rank && flip.submission() == submission) {
      run.slots.flip(rank, flip.byteOffset(), flip.bit());
    }
  }

  /** Ends the thread; it has nothing left to do. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LiveObjects.closed(KIND);
  }
}
