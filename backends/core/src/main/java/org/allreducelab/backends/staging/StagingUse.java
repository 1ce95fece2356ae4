package org.allreducelab.backends.staging;

/**
 * The buffers that a program was recorded with: by rank, which of its buffers, and which allocation
 * of it. Only {@link StagingPool} makes and compares them.
 */
public final class StagingUse {
  /** The program needs none on that rank. */
  static final long NO_STAMP = 0;

  private final int[] localRanks;
  private final long[] stamps;
  private final int[] buffers;

  StagingUse(int[] localRanks, long[] stamps, int[] buffers) {
    this.localRanks = localRanks;
    this.stamps = stamps;
    this.buffers = buffers;
  }

  long stamp(int index) {
    return stamps[index];
  }

  int size() {
    return localRanks.length;
  }

  /** The buffer that the rank's slots lie in. */
  public int buffer(int rank) {
    for (int i = 0; i < localRanks.length; i++) {
      if (localRanks[i] == rank) {
        return buffers[i];
      }
    }
    throw new IllegalArgumentException("no local rank " + rank);
  }
}
