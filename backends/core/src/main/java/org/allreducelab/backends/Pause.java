package org.allreducelab.backends;

import java.util.concurrent.locks.LockSupport;

/** Lets time pass to the microsecond: sleeps while there is much of it left, then spins. */
public final class Pause {
  /** A sleep may end this much late. */
  private static final long SLEEP_ERROR_NS = 200_000;

  private Pause() {}

  /**
   * Returns at that time, or a little later.
   *
   * @param timeNs as {@link System#nanoTime()} tells it
   */
  public static void until(long timeNs) {
    long leftNs = timeNs - System.nanoTime();
    while (leftNs > 0) {
      if (leftNs > 2 * SLEEP_ERROR_NS) {
        LockSupport.parkNanos(leftNs - SLEEP_ERROR_NS);
      } else {
        Thread.onSpinWait();
      }
      leftNs = timeNs - System.nanoTime();
    }
  }
}
