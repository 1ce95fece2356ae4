package org.allreducelab.harness.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run end in order when the JVM is told to (Ctrl-C, SIGTERM): the fork in flight is ended,
 * and the JVM waits until the run is closed. It then exits with the signal's own code: 130 for
 * SIGINT.
 */
final class Interrupts implements AutoCloseable {
  private static final long GRACE_MS = 10_000;

  /** How long before the end of that a fork that has not given its drivers back is killed. */
  private static final long FORCE_MS = 4_000;

  private static final long POLL_MS = 20;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopRun, "lab-interrupt");
  private volatile boolean requested;

  private Interrupts() {}

  /** From now on, until closed, a signal asks the run to stop. */
  static Interrupts install() {
    Interrupts interrupts = new Interrupts();
    Runtime.getRuntime().addShutdownHook(interrupts.hook);
    return interrupts;
  }

  boolean requested() {
    return requested;
  }

  private void stopRun() {
    requested = true;
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MS);
    try {
      // Again and again: a fork may be just about to start.
      do {
        boolean gently = deadlineNs - System.nanoTime() > TimeUnit.MILLISECONDS.toNanos(FORCE_MS);
        ProcessHandle.current()
            .children()
            .forEach(gently ? ProcessHandle::destroy : ProcessHandle::destroyForcibly);
      } while (!finished.await(POLL_MS, TimeUnit.MILLISECONDS) && System.nanoTime() < deadlineNs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The run is closed: the JVM need not wait for it any longer. */
  @Override
  public void close() {
    finished.countDown();
    if (!requested) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        // The hook runs already and has just been told.
      }
    }
  }
}
