package org.allreducelab.backends.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Backoff;
import org.allreducelab.backends.Deadline;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.PaddedCounters;
import org.jspecify.annotations.Nullable;

/**
 * Runs recordings on workers. The calling thread is worker 0, so with as many workers as cores no
 * core has two spinning threads.
 *
 * <p>Use from one thread at a time. {@link #submit} and {@link #awaitAll} allocate nothing.
 */
final class Engine {
  /** How long to wait for workers to stop before a missed deadline is blamed on somebody. */
  private static final long SETTLE_NS = 1_000_000_000L;

  /** Threads start and end on the machine's time: a short deadline is not for them. */
  private static final long LEAST_TEARDOWN_NS = 5_000_000_000L;

  private final RunState state = new RunState();
  private final InvocationRing ring = new InvocationRing();
  private final PaddedCounters completed;
  private final Deadline deadline;
  private final List<Worker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** The calling thread's worker. */
  private final Worker own;

  /** The calling thread's waits for the others. */
  private final CoreSharing sharing = new CoreSharing();

  Engine(
      Deal deal,
      RankMemory memory,
      @Nullable EmulatedProxy proxy,
      long deadlineNs,
      FaultPlan faults) {
    deadline = new Deadline(deadlineNs);
    completed = new PaddedCounters(deal.workers());
    Worker.Shared shared =
        new Worker.Shared(new PaddedCounters(deal.ranks()), completed, ring, state, proxy);
    for (int id = 0; id < deal.workers(); id++) {
      Deadline bound = id == 0 ? deadline : Deadline.never();
      workers.add(new Worker(id, deal.ranks(), shared, bound, faults, memory));
    }
    own = workers.get(0);
  }

  /**
   * Starts the other workers' threads.
   *
   * @throws BackendException if a thread cannot be started, or flushes subnormals
   */
  void start() {
    FpuMode.check();
    CountDownLatch started = new CountDownLatch(workers.size() - 1);
    for (Worker worker : workers.subList(1, workers.size())) {
      Thread thread =
          new Thread(() -> runThread(worker, started), "allreduce-cpu-" + (threads.size() + 1));
      thread.setDaemon(true);
      LiveObjects.opened("cpu worker");
      try {
        thread.start();
      } catch (Throwable e) {
        LiveObjects.closed("cpu worker");
        throw new BackendException("cannot start worker thread " + thread.getName(), e);
      }
      threads.add(thread);
    }
    try {
      if (!started.await(teardownNs(), TimeUnit.NANOSECONDS)) {
        throw new BackendException("worker threads did not start within the deadline");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendException("interrupted while worker threads started", e);
    }
    requireRunning();
  }

  private void runThread(Worker worker, CountDownLatch started) {
    try {
      FpuMode.check();
    } catch (BackendException e) {
      state.fail(e);
    }
    started.countDown();
    worker.run();
  }

  /** Whether something was submitted that {@link #awaitAll} has not seen complete. */
  boolean inFlight() {
    return own.executed() < ring.count() || !othersCompleted(ring.count());
  }

  /** Starts one invocation; first drives older ones when too many are in flight. */
  void submit(Recording recording) {
    requireRunning();
    long oldest = ring.count() - InvocationRing.CAPACITY;
    if (oldest >= 0 && !(own.executed() > oldest && othersCompleted(oldest + 1))) {
      drive(oldest + 1);
    }
    ring.publish(recording);
    for (int i = 0; i < threads.size(); i++) {
      if (workers.get(i + 1).parked()) {
        LockSupport.unpark(threads.get(i));
      }
    }
  }

  /** Runs this thread's part of everything in flight and waits for the others'. */
  void awaitAll() {
    requireRunning();
    drive(ring.count());
  }

  private void drive(long invocations) {
    deadline.restart();
    while (own.executed() < invocations) {
      if (!own.executeNext()) {
        throw stopped();
      }
    }
    int attempt = 0;
    for (; !othersCompleted(invocations); attempt++) {
      if (Backoff.checksIn(attempt) && (state.stopped() || deadline.passed())) {
        throw stopped();
      }
      Backoff.pause(attempt);
    }
    sharing.waited(attempt);
  }

  private boolean othersCompleted(long invocations) {
    for (int id = 1; id < workers.size(); id++) {
      if (completed.lv(id) < invocations) {
        return false;
      }
    }
    return true;
  }

  /** Nothing in flight refers to old recordings: lets them go. */
  void forgetRecordings() {
    ring.clear();
  }

  /** The reason why the group no longer runs: a failed worker's, or the missed deadline. */
  private BackendException stopped() {
    Throwable failure = state.failure();
    if (failure != null) {
      stopThreads(SETTLE_NS);
      return new BackendException(String.valueOf(failure.getMessage()), failure);
    }
    stopThreads(Math.min(SETTLE_NS, deadline.limitNs()));
    BackendException missed = Blame.of(workers, deadline.limitNs());
    state.fail(missed);
    return missed;
  }

  /**
   * Marks the group as failed.
   *
   * @return {@code reason}
   */
  BackendException fail(BackendException reason) {
    state.fail(reason);
    stopThreads(SETTLE_NS);
    return reason;
  }

  /** Whether nothing has failed. */
  boolean running() {
    return state.failure() == null;
  }

  /**
   * @throws BackendException if something has failed
   */
  void requireRunning() {
    Throwable failure = state.failure();
    if (failure != null) {
      throw new BackendException("the group failed earlier: " + failure.getMessage(), failure);
    }
  }

  /**
   * Ends all threads.
   *
   * @throws BackendException if one does not end within the deadline, or 5 s if that is longer
   */
  void close() {
    if (!stopThreads(teardownNs())) {
      throw new BackendException(
          "a worker thread did not end within the deadline; it and its memory stay");
    }
  }

  private long teardownNs() {
    return Math.max(LEAST_TEARDOWN_NS, deadline.limitNs());
  }

  private boolean stopThreads(long limitNs) {
    state.stop();
    long startNs = System.nanoTime();
    boolean ended = true;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
      long leftNs = Math.max(1, limitNs - (System.nanoTime() - startNs));
      ended &= join(thread, leftNs);
    }
    return ended;
  }

  /** Also when this thread is interrupted: the wait is short and bounded. */
  private static boolean join(Thread thread, long limitNs) {
    boolean interrupted = false;
    long startNs = System.nanoTime();
    while (thread.isAlive() && System.nanoTime() - startNs < limitNs) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, limitNs - (System.nanoTime() - startNs));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
