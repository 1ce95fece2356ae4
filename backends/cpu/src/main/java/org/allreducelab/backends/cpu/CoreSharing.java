package org.allreducelab.backends.cpu;

import java.util.concurrent.locks.LockSupport;
import org.allreducelab.backends.Backoff;

/**
 * Notices that a thread takes turns on one core with those it waits for, and has the operating
 * system place it anew.
 *
 * <p>A scheduler may leave two threads on one core while another idles, for seconds: both have
 * always just run, so neither is moved, and each gives way to the other as soon as it waits. Then
 * waits end at once after the first yields, one after the other. A thread that sleeps for a moment
 * is placed again when it wakes, on the idle core in about two of five cases (Linux 6, two cores of
 * a virtual machine). Where all cores are taken that cannot help, so each try waits for twice as
 * many such waits as the one before.
 *
 * <p>For one thread. Allocates nothing.
 */
final class CoreSharing {
  /** Yields after which the peer must have run on this core, if it is done then. */
  private static final int FEW_YIELDS = 4;

  private static final int LEAST_IN_A_ROW = 128;

  /** At a microsecond or more each, a sleep of some 60 µs is then nothing. */
  private static final int MOST_IN_A_ROW = 1 << 14;

  private final Runnable sleep;
  private int inARow;
  private int limit = LEAST_IN_A_ROW;

  CoreSharing() {
    this(() -> LockSupport.parkNanos(1));
  }

  /**
   * @param sleep leaves the core for a moment
   */
  CoreSharing(Runnable sleep) {
    this.sleep = sleep;
  }

  /**
   * After a wait.
   *
   * @param pauses how often {@link Backoff#pause} was called in it
   */
  void waited(int pauses) {
    int yields = pauses - Backoff.SPINS;
    if (yields < 1 || yields > FEW_YIELDS) {
      inARow = 0;
    } else if (++inARow >= limit) {
      inARow = 0;
      limit = Math.min(2 * limit, MOST_IN_A_ROW);
      sleep.run();
    }
  }
}
