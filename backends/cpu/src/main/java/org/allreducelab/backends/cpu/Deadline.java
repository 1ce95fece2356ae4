package org.allreducelab.backends.cpu;

/** A bound on the time that one host wait takes. The clock starts when a wait first looks at it. */
final class Deadline {
  private final long limitNs;
  private long startNs;
  private boolean running;

  Deadline(long limitNs) {
    this.limitNs = limitNs;
  }

  /** A bound that never passes: for threads whose waits the calling thread bounds. */
  static Deadline never() {
    return new Deadline(Long.MAX_VALUE);
  }

  long limitNs() {
    return limitNs;
  }

  /** A new wait begins. */
  void restart() {
    running = false;
  }

  boolean passed() {
    long now = System.nanoTime();
    if (!running) {
      running = true;
      startNs = now;
    }
    return now - startNs > limitNs;
  }
}
