package org.allreducelab.backends.lowering;

import java.util.Arrays;

/**
 * Which ranks have read a value, and how far each had come then. As large as there are reads: most
 * values have one reader, however many ranks there are.
 */
final class Readers {
  private static final int[] NONE = {};

  /** A reader and its progress, in turn. */
  private int[] reads = NONE;

  private int used;

  /**
   * Notes a read.
   *
   * @param reader who reads
   * @param value of the reader's submission that does; no earlier one than in its reads so far
   */
  void note(int reader, int value) {
    if (used > 0 && reads[used - 2] == reader) {
      reads[used - 1] = value;
      return;
    }
    if (used == reads.length) {
      reads = Arrays.copyOf(reads, Math.max(2, 2 * used));
    }
    reads[used++] = reader;
    reads[used++] = value;
  }

  /** Has {@code required} (progress per rank) cover all reads. */
  void require(int[] required) {
    for (int i = 0; i < used; i += 2) {
      required[reads[i]] = Math.max(required[reads[i]], reads[i + 1]);
    }
  }

  /** Whether all reads are over for a rank whose knowledge of others' progress is {@code clock}. */
  boolean areDone(int[] clock) {
    for (int i = 0; i < used; i += 2) {
      if (clock[reads[i]] < reads[i + 1]) {
        return false;
      }
    }
    return true;
  }
}
