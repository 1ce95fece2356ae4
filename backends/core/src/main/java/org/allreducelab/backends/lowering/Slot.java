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

  /** Per rank, the value of its last submission that reads it, or 0. */
  final int[] readBy;

  Slot(long start, long end, int ranks) {
    this.start = start;
    this.end = end;
    this.readBy = new int[ranks];
  }

  /** Whether a rank whose knowledge of others' progress is {@code clock} may overwrite it. */
  boolean isFree(int[] clock) {
    if (pendingReads > 0) {
      return false;
    }
    for (int rank = 0; rank < readBy.length; rank++) {
      if (clock[rank] < readBy[rank]) {
        return false;
      }
    }
    return true;
  }
}
