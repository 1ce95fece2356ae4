package org.allreducelab.backends;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What must be given back to drivers before the process ends.
 *
 * <p>A program calls {@link #run()} as its last act, on the thread that used the backends. Backends
 * also act when the JVM shuts down by itself (a signal), but that is second best: NVIDIA's Vulkan
 * driver (580.159) crashed every process whose instance was destroyed from a shutdown hook, and
 * none whose instance was destroyed by the thread that had made it.
 */
public final class DriverShutdown {
  private static final List<Runnable> ACTIONS = new CopyOnWriteArrayList<>();

  private DriverShutdown() {}

  /** Has {@code action} run at the end; it must bear to be run more than once. */
  public static void register(Runnable action) {
    ACTIONS.add(action);
  }

  /** Runs all actions. Backends are of no use afterwards. */
  public static void run() {
    ACTIONS.forEach(Runnable::run);
  }
}
