package org.allreducelab.backends;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What must be given back to drivers before the process ends.
 *
 * <p>A program calls {@link #run()} as its last act, on the thread that used the backends: NVIDIA's
 * Vulkan driver (580.159) crashed every process whose instance was destroyed from a shutdown hook,
 * and none whose instance was destroyed by the thread that had made it.
 *
 * <p>A signal ends the JVM without the program's doing. So a thread that uses backends {@linkplain
 * #promise() promises} to call {@code run()}:
 *
 * <pre>
 *   signal ─▶ shutdown hook: {@link #isEnding()} from now on; waits for the thread, some seconds
 *                 thread:    groups and loops throw {@link EndingException}; it closes what it
 *                            opened, and comes to run()
 *             shutdown hook: done; the JVM ends with the signal's exit code
 * </pre>
 *
 * <p>If no thread has promised, or it does not come, the hook gives everything back itself.
 */
public final class DriverShutdown {
  /** A wait for a device notices the end within some tens of milliseconds, a simulation later. */
  private static final long GRACE_MS = 5_000;

  private static final List<Runnable> ACTIONS = new CopyOnWriteArrayList<>();
  private static final CountDownLatch DONE = new CountDownLatch(1);
  private static boolean hooked;
  private static volatile boolean ending;
  private static volatile @Nullable Thread promised;
  private static volatile boolean inUse;

  private DriverShutdown() {}

  /** Has {@code action} run at the end; it must bear to be run more than once. */
  public static synchronized void register(Runnable action) {
    ACTIONS.add(action);
    if (!hooked) {
      hooked = true;
      Runtime.getRuntime().addShutdownHook(new Thread(DriverShutdown::endProcess, "driver-exit"));
    }
  }

  /** The calling thread will call {@link #run()}, soon after {@link #isEnding()} says so. */
  public static void promise() {
    promised = Thread.currentThread();
  }

  /** Whether the JVM is shutting down while drivers are in use. */
  public static boolean isEnding() {
    return ending;
  }

  /**
   * For loops: ends them when the process is to end.
   *
   * @throws EndingException if {@link #isEnding()}
   */
  public static void requireGoingOn() {
    if (ending) {
      throw new EndingException();
    }
  }

  /** Runs all actions. Backends are of no use afterwards. */
  public static void run() {
    synchronized (ACTIONS) {
      ACTIONS.forEach(Runnable::run);
    }
    DONE.countDown();
  }

  /**
   * After {@link #run()}: while the process is ending, stays here until it has ended, so that
   * nothing is made of the {@link EndingException} that led here.
   */
  public static void awaitEnd() {
    if (ending) {
      sleep(GRACE_MS);
    }
  }

  /**
   * Says that something still works in a driver and cannot be stopped: a device that does not end,
   * a thread that waits for it.
   */
  public static void stillInUse() {
    inUse = true;
  }

  /**
   * Whether {@link #stillInUse()} was said: then nothing may be destroyed that a driver works on.
   */
  public static boolean isStillInUse() {
    return inUse;
  }

  /**
   * Ends the process. With drivers {@linkplain #stillInUse() still in use} at once: a driver's
   * library is unloaded under its threads otherwise, which then crash.
   */
  public static void exit(int code) {
    if (inUse) {
      Runtime.getRuntime().halt(code);
    }
    System.exit(code);
  }

  private static void endProcess() {
    ending = true;
    Thread owner = promised;
    long startNs = System.nanoTime();
    while (owner != null
        && owner.isAlive()
        && System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(GRACE_MS)) {
      if (isDone()) {
        return;
      }
    }
    run();
  }

  private static boolean isDone() {
    try {
      return DONE.await(20, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  private static void sleep(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
