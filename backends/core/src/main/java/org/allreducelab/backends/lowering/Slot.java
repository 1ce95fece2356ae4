package org.allreducelab.backends.lowering;

/**
 * A run of a rank's staging memory that holds published values until all their readers are done.
 */
final class Slot {
  /** First byte. */
  final long start;

  /** First byte after it. */
  final long end;

  /** Value of the owner's submission that publishes into it. */
  int writtenAt;

  /** Reads that have not been emitted yet. */
  int pendingReads;

  /** Those that have. */
  final Readers readers = new Readers();

  Slot(long start, long end) {
    this.start = start;
    this.end = end;
  }

  /** Whether a rank whose knowledge of others' progress is {@code clock} may overwrite it. */
  boolean isFree(int[] clock) {
    return pendingReads == 0 && readers.areDone(clock);
  }
}
