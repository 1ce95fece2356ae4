package org.allreducelab.backends;

import java.util.function.LongSupplier;

/**
 * A bound on the time that one host wait takes. The clock starts when a wait first looks at it.
 *
 * <p>Looks are to be frequent. A long gap between two counts for {@link #MOST_GAP_NS} only: the
 * process was suspended, or no core was free for the waiting thread, and so for whom it waits for
 * neither. A wait that ends 10 s after it began is no stall where both slept for 9 of them.
 *
 * <p>Not thread-safe; allocates nothing after construction.
 */
public final class Deadline {
  /** What a gap between two looks counts for at most. */
  static final long MOST_GAP_NS = 100_000_000;

  private final long limitNs;
  private final LongSupplier nanoClock;
  private long spentNs;
  private long lookedNs;
  private boolean running;

  public Deadline(long limitNs) {
    this(limitNs, System::nanoTime);
  }

  Deadline(long limitNs, LongSupplier nanoClock) {
    this.limitNs = limitNs;
    this.nanoClock = nanoClock;
  }

  /** A bound that never passes: for threads whose waits the calling thread bounds. */
  public static Deadline never() {
    return new Deadline(Long.MAX_VALUE);
  }

  public long limitNs() {
    return limitNs;
  }

  /** A new wait begins. */
  public void restart() {
    running = false;
  }

  public boolean passed() {
    return leftNs() < 0;
  }

  /** What is left, negative when it has passed. */
  public long leftNs() {
    long now = nanoClock.getAsLong();
    if (running) {
      spentNs += Math.min(now - lookedNs, MOST_GAP_NS);
    } else {
      running = true;
      spentNs = 0;
    }
    lookedNs = now;
    return limitNs - spentNs;
  }
}
