package org.allreducelab.backends.cpu;

import java.util.Arrays;
import org.allreducelab.backends.PaddedCounters;
import org.jspecify.annotations.Nullable;

/**
 * Invocations in flight, in order: written by the calling thread, read by every worker.
 *
 * <p>An entry is written before the count that covers it is stored (release), and read after that
 * count is loaded (acquire). It is written again only when all workers have completed it, which the
 * caller knows by acquire loads of their counts.
 */
final class InvocationRing {
  static final int CAPACITY = 256;

  private final @Nullable Recording[] entries = new Recording[CAPACITY];
  private final PaddedCounters published = new PaddedCounters(1);
  private long count;

  /** How many were published: the calling thread's own count. */
  long count() {
    return count;
  }

  /** How many were published, as a worker sees it. */
  long lvPublished() {
    return published.lv(0);
  }

  /** As {@link #lvPublished}, in one order with all volatile accesses. */
  long vlPublished() {
    return published.vl(0);
  }

  /** Publishes one more; a full fence, so that a worker about to park is then seen parked. */
  void publish(Recording recording) {
    int index = (int) count & (CAPACITY - 1);
    if (entries[index] != recording) { // else the line may stay in the workers' caches
      entries[index] = recording;
    }
    published.soFenced(0, ++count);
  }

  /** The invocation with that number, counted from 0; must be published and not yet reused. */
  Recording get(long number) {
    Recording recording = entries[(int) number & (CAPACITY - 1)];
    if (recording == null) {
      throw new IllegalStateException("invocation " + number + " was never published");
    }
    return recording;
  }

  /** Drops references to what is no longer in flight; only when nothing is. */
  void clear() {
    Arrays.fill(entries, null);
  }
}
