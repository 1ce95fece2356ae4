package org.allreducelab.backends.vulkan;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.LiveObjects;
import org.jspecify.annotations.Nullable;

/**
 * A host thread that watches one rank's timeline and signals its mirrors on the peers' devices.
 * Allocates nothing per signal.
 *
 * <p>On a software driver it blocks in the driver: polling would take the core that executes the
 * work. On a GPU it polls while something submitted is not done, and is parked otherwise. Two
 * threads that block on NVIDIA's timelines at once (580.159) wake up as late as 10 ms: the host,
 * which waits for all ranks, and a proxy would.
 */
final class Proxy implements AutoCloseable {
  /** How often a proxy passes something on that no test ends. */
  static final long ENDLESS = Long.MAX_VALUE;

  private static final String KIND = "vulkan proxy";

  /**
   * How long one blocking wait lasts at most, so that a stop is noticed; closing wakes it anyway.
   */
  private static final long CHUNK_NS = 100_000_000;

  /** How long it polls for more after all is passed on: waking a parked thread takes as long. */
  private static final long IDLE_NS = 50_000;

  /**
   * After polling for so long in vain it sleeps between looks: a long kernel, or a rank that
   * stopped.
   */
  private static final long PATIENCE_NS = 2_000_000;

  private static final long NAP_NS = 20_000;

  /** How long a thread may take to end: a driver may hold it longer than it was asked to. */
  private static final long END_NS = 5_000_000_000L;

  private final int rank;
  private final Timeline source;
  private final Watch watch;
  private final Timeline[] mirrors;

  /**
   * Per mirror, its value. Of the thread, and after its end of who {@linkplain #stepIn steps in}.
   */
  private final long[] passedOn;

  private final boolean polls;
  private final long life;
  private final Thread thread;
  private volatile long expected;
  private volatile boolean parked;
  private volatile boolean stopped;
  private volatile @Nullable RuntimeException failure;

  /**
   * @param source the rank's timeline
   * @param mirrors its mirrors, one per device that peers see it on
   * @param polls whether it polls, which needs {@link #expect} at every submission, or blocks
   * @param life how often it passes something on before it ends by an exception
   */
  Proxy(int rank, Timeline source, List<Timeline> mirrors, boolean polls, long life) {
    this.rank = rank;
    this.source = source;
    this.mirrors = mirrors.toArray(Timeline[]::new);
    this.polls = polls;
    this.life = life;
    passedOn = new long[mirrors.size()];
    watch = new Watch(source);
    thread = new Thread(this::run, "vulkan-proxy-" + rank);
    thread.setDaemon(true);
    LiveObjects.opened(KIND);
    thread.start();
  }

  private void run() {
    try {
      long last = 0;
      long signals = 0;
      while (!stopped) {
        long value = next(last);
        if (value > last && !stopped) {
          if (signals++ == life) {
            throw new BackendException("the fault plan ended it");
          }
          passOn(value);
          last = value;
        }
      }
    } catch (Throwable e) { // whatever it is, the waiting caller must hear of it
      failure = e instanceof RuntimeException r ? r : new BackendException(e.toString(), e);
    }
  }

  private void passOn(long value) {
    DriverException first = null;
    for (int i = 0; i < mirrors.length; i++) {
      try {
        if (passedOn[i] < value) {
          mirrors[i].signal(value);
          passedOn[i] = value;
        }
      } catch (DriverException e) {
        // The other peers need not wait because of one whose device fails.
        first = e;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Something was submitted that brings the source to that value. */
  void expect(long value) {
    expected = value;
    // Either the thread sees the value before it parks, or this sees that it is parked.
    if (parked) {
      LockSupport.unpark(thread);
    }
  }

  private long next(long after) {
    if (!polls) {
      return watch.await(after + 1, CHUNK_NS) ? watch.value(0) : after;
    }
    idle(after);
    long startNs = System.nanoTime();
    while (!stopped) {
      long value = watch.value(0);
      if (value > after) {
        return value;
      }
      if (System.nanoTime() - startNs < PATIENCE_NS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, NAP_NS);
      }
    }
    return after;
  }

  /** Until something is submitted that has not been passed on. */
  private void idle(long after) {
    long startNs = System.nanoTime();
    while (expected <= after && !stopped) {
      if (System.nanoTime() - startNs < IDLE_NS) {
        Thread.onSpinWait();
        continue;
      }
      parked = true;
      if (expected <= after && !stopped) {
        LockSupport.park(this);
      }
      parked = false;
    }
  }

  /** What ended it, or null. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  /**
   * Where its thread has ended by an exception, passes on what that one did not.
   *
   * @param lost whether the source's device is lost
   * @param target what the source was to reach, and has for all that anybody will know if it is
   */
  void stepIn(boolean lost, long target) {
    if (failure != null && ended()) {
      passOn(lost ? target : watch.value(0));
    }
  }

  private boolean ended() {
    boolean interrupted = false;
    long startNs = System.nanoTime();
    while (thread.isAlive() && System.nanoTime() - startNs < END_NS) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, END_NS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  /**
   * Ends the thread. Nothing may be in flight on the source's timeline.
   *
   * @throws BackendException if a driver does not let go of it
   */
  @Override
  public void close() {
    if (stopped) {
      return;
    }
    stopped = true;
    wake();
    if (!ended()) {
      throw new BackendException("the proxy of rank " + rank + " does not end; it stays");
    }
    watch.close();
    LiveObjects.closed(KIND);
  }

  private void wake() {
    if (failure != null) {
      return;
    }
    if (polls) {
      LockSupport.unpark(thread);
      return;
    }
    try {
      source.signal(source.value() + 1);
    } catch (DriverException e) {
      // A lost device: the thread's own wait ends by that, or by its time.
      return;
    }
  }
}
