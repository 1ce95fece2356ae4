package org.allreducelab.backends.cpu;

import java.util.Arrays;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Space;

/** The ranks' buffers and slots: heap arrays, which every worker can read. */
final class RankMemory {
  /** The largest array that JVMs allow. */
  static final long LARGEST_BYTES = Integer.MAX_VALUE - 8L;

  private static final byte[] NONE = new byte[0];

  private final byte[][] send;
  private final byte[][] recv;
  private final byte[][] slots;

  /**
   * @param ranks number of ranks
   * @param capacityBytes size of each buffer
   * @throws BackendException if the heap is too small, or an array cannot be so large
   */
  RankMemory(int ranks, long capacityBytes) {
    send = new byte[ranks][];
    recv = new byte[ranks][];
    slots = new byte[ranks][];
    Arrays.fill(slots, NONE);
    for (int rank = 0; rank < ranks; rank++) {
      send[rank] = array(capacityBytes, "rank " + rank + "'s SEND buffer");
      recv[rank] = array(capacityBytes, "rank " + rank + "'s RECV buffer");
    }
  }

  byte[] buffer(int rank, DataBuffer buffer) {
    return buffer == DataBuffer.SEND ? send[rank] : recv[rank];
  }

  byte[] slots(int rank) {
    return slots[rank];
  }

  /** The run that a region starts; not for {@link Space#NEGATIVE_ZERO}, which is no memory. */
  ArrayRun run(Region region) {
    byte[] array =
        switch (region.space()) {
          case SEND -> send[region.rank()];
          case RECV -> recv[region.rank()];
          case SLOT -> slots[region.rank()];
          case NEGATIVE_ZERO -> throw new IllegalArgumentException("no memory: " + region);
        };
    return new ArrayRun(array, Math.toIntExact(region.byteOffset()), region.type());
  }

  void allocateSlots(int rank, long bytes) {
    slots[rank] = array(bytes, "rank " + rank + "'s staging memory");
    LiveObjects.opened("cpu staging");
  }

  void freeSlots(int rank) {
    slots[rank] = NONE;
    LiveObjects.closed("cpu staging");
  }

  private static byte[] array(long bytes, String what) {
    if (bytes > LARGEST_BYTES) {
      throw new BackendException(
          what
              + " cannot have "
              + bytes
              + " bytes: the cpu backend allows at most "
              + LARGEST_BYTES);
    }
    try {
      return new byte[(int) bytes];
    } catch (OutOfMemoryError e) {
      throw new BackendException(
          "no memory for the "
              + bytes
              + " bytes of "
              + what
              + ": the heap may grow to "
              + Runtime.getRuntime().maxMemory()
              + " bytes; run java with a larger -Xmx",
          e);
    }
  }
}
