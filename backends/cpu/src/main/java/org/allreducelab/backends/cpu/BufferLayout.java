package org.allreducelab.backends.cpu;

import org.allreducelab.backends.DataBuffer;

/**
 * Where buffers lie, so that no result is written just ahead of where an operand is read, modulo
 * 4096.
 *
 * <p>A load whose address has the low 12 bits of a store still in flight may have to wait for it:
 * results 64 to 256 bytes beyond an operand, modulo 4096, make folds and copies up to 2 times
 * slower (measured on Zen 4). So each buffer starts at a phase of its own: SEND buffers, which are
 * only read, close together; RECV buffers at least 320 bytes from those and 384 from each other,
 * the first two far apart. From the ninth rank on phases repeat.
 *
 * <p>Small buffers share one array, since only then does the collector keep their distances. Large
 * ones have one each, with lengths that keep arrays allocated one after the other in phase.
 *
 * @param ranks number of ranks
 * @param capacityBytes size of each buffer
 */
record BufferLayout(int ranks, int capacityBytes) {
  /** The largest buffer: what fits an array with the largest phase before it. */
  static final long LARGEST_BYTES = Integer.MAX_VALUE - 8L - 4096;

  private static final int PAGE = 4096;

  /** With the 16 bytes of an array's header: the start of a cache line, if the array is at one. */
  private static final int LINE_START = 48;

  private static final int ARRAY_HEADER = 16;

  /** Together up to this, buffers share an array. */
  private static final long SHARED_BYTES = 16L << 20;

  private static final int[] SPREAD = {0, 4, 2, 6, 1, 5, 3, 7};

  boolean shared() {
    return 2L * ranks * stride() <= SHARED_BYTES;
  }

  /** Length of the shared array, or of each array. */
  int arrayBytes() {
    if (shared()) {
      return (int) (2L * ranks * stride());
    }
    return (int) Math.min(stride() - ARRAY_HEADER, Integer.MAX_VALUE - 8L);
  }

  /** Where in its array a buffer starts. */
  int offset(int rank, DataBuffer buffer) {
    boolean send = buffer == DataBuffer.SEND;
    int phase = send ? rank % 8 * 64 : 768 + SPREAD[rank % 8] * 384;
    long start = shared() ? stride() * (send ? 2L * rank : 2L * rank + 1) : 0;
    return (int) start + LINE_START + phase;
  }

  private long stride() {
    return ((long) capacityBytes + PAGE - 1) / PAGE * PAGE + PAGE;
  }
}
