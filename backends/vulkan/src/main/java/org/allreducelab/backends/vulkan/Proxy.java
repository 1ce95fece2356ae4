package org.allreducelab.backends.vulkan;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.LiveObjects;
import org.jspecify.annotations.Nullable;

/**
 * A host thread that watches one rank's timeline and signals its mirrors on the peers' devices.
 * Allocates nothing per signal.
 */
final class Proxy implements AutoCloseable {
  /** How often a proxy passes something on that no test ends. */
  static final long ENDLESS = Long.MAX_VALUE;

  private static final String KIND = "vulkan proxy";

  /**
   * How long one blocking wait lasts at most, so that a stop is noticed; closing wakes it anyway.
   */
  private static final long CHUNK_NS = 100_000_000;

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

  private final int spins;
  private final long life;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable RuntimeException failure;

  /**
   * @param source the rank's timeline
   * @param mirrors its mirrors, one per peer
   * @param spins how often the value is polled before a blocking wait
   * @param life how often it passes something on before it ends by an exception
   */
  Proxy(int rank, Timeline source, List<Timeline> mirrors, int spins, long life) {
    this.rank = rank;
    this.source = source;
    this.mirrors = mirrors.toArray(Timeline[]::new);
    this.spins = spins;
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
    VulkanException first = null;
    for (int i = 0; i < mirrors.length; i++) {
      try {
        if (passedOn[i] < value) {
          mirrors[i].signal(value);
          passedOn[i] = value;
        }
      } catch (VulkanException e) {
        // The other peers need not wait because of one whose device fails.
        first = e;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private long next(long after) {
    for (int i = 0; i < spins; i++) {
      long value = watch.value(0);
      if (value > after) {
        return value;
      }
      Thread.onSpinWait();
    }
    return watch.await(after + 1, CHUNK_NS) ? watch.value(0) : after;
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
    try {
      source.signal(source.value() + 1);
    } catch (VulkanException e) {
      // A lost device: the thread's own wait ends by that, or by its time.
      return;
    }
  }
}
