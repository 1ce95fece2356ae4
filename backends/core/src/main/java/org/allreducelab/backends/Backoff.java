package org.allreducelab.backends;

import java.util.concurrent.locks.LockSupport;

/**
 * How a thread passes the time until another one gets on: it spins, then yields, then sleeps.
 *
 * <p>Spinning sees a peer's signal soonest and is right while each worker has a core. A peer that
 * does not answer for some microseconds may lack one: yielding gives it ours, and costs half a
 * microsecond where nobody wants it. Spinning longer is what ruins two threads on one core. After
 * about a millisecond the thread sleeps in short pieces, so nobody needs to wake it.
 */
public final class Backoff {
  /** Calls of {@link #pause} in a wait that spin; the next ones yield. */
  public static final int SPINS = 64;

  private static final int YIELDS = 2048;
  private static final int IDLE_YIELDS = 256;
  private static final long SLEEP_NS = 50_000;

  private Backoff() {}

  /** Passes some time; {@code attempt} counts from 0 for each wait. */
  public static void pause(int attempt) {
    if (attempt < SPINS + YIELDS) {
      spinOrYield(attempt);
    } else {
      LockSupport.parkNanos(SLEEP_NS);
    }
  }

  /**
   * Passes some time while there is no work, about 100 µs in all: longer than a caller needs
   * between two collectives.
   *
   * @return false when that is over and the thread should park
   */
  public static boolean idle(int attempt) {
    if (attempt >= SPINS + IDLE_YIELDS) {
      return false;
    }
    spinOrYield(attempt);
    return true;
  }

  @SuppressWarnings("ThreadPriorityCheck") // a yield is the point; progress never depends on it
  private static void spinOrYield(int attempt) {
    if (attempt < SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /** Whether to look for a stop or a passed deadline now: often, but not between any two spins. */
  public static boolean checksIn(int attempt) {
    return (attempt & 63) == 63;
  }
}
