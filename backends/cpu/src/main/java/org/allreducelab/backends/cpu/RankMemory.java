package org.allreducelab.backends.cpu;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.lowering.Region;
import org.allreducelab.backends.lowering.Space;
import org.allreducelab.backends.staging.StagingUse;

/** The ranks' buffers and slots: heap arrays, which every worker can read. */
final class RankMemory {
  private static final byte[] NONE = new byte[0];

  private final BufferLayout layout;

  /** Which of the buffers laid out are a rank's. */
  private final int[] place;

  private final byte[][] send;
  private final byte[][] recv;

  /** By rank and buffer; what is not allocated is empty. */
  private final byte[][][] slots;

  /** By rank, the buffer that recordings are made with. */
  private final int[] picked;

  /**
   * The memory of all ranks.
   *
   * @param ranks number of ranks
   * @param capacityBytes size of each buffer
   * @throws BackendException if the heap is too small, or an array cannot be so large
   */
  RankMemory(int ranks, long capacityBytes) {
    this(ranks, capacityBytes, rank -> true);
  }

  /** The buffers of one rank among others, and slots of all. */
  static RankMemory ofOne(int rank, int ranks, long capacityBytes) {
    return new RankMemory(ranks, capacityBytes, r -> r == rank);
  }

  private RankMemory(int ranks, long capacityBytes, IntPredicate here) {
    requireArraySize(capacityBytes, "a buffer");
    int present = (int) IntStream.range(0, ranks).filter(here).count();
    layout = new BufferLayout(present, (int) capacityBytes);
    place = new int[ranks];
    send = new byte[ranks][];
    recv = new byte[ranks][];
    slots = new byte[ranks][1][];
    for (byte[][] ofRank : slots) {
      Arrays.fill(ofRank, NONE);
    }
    picked = new int[ranks];
    Arrays.fill(send, NONE);
    Arrays.fill(recv, NONE);
    byte[] shared = layout.shared() ? array(layout.arrayBytes(), "the buffers") : NONE;
    int next = 0;
    for (int rank = 0; rank < ranks; rank++) {
      if (here.test(rank)) {
        place[rank] = next++;
        boolean own = !layout.shared();
        send[rank] = own ? array(layout.arrayBytes(), "rank " + rank + "'s SEND buffer") : shared;
        recv[rank] = own ? array(layout.arrayBytes(), "rank " + rank + "'s RECV buffer") : shared;
      }
    }
  }

  /** Copies {@code bytes} to the start of a buffer. */
  void write(int rank, DataBuffer buffer, byte[] bytes) {
    Objects.checkIndex(rank, send.length);
    Objects.checkFromIndexSize(0, bytes.length, layout.capacityBytes());
    byte[] array = buffer(rank, buffer);
    System.arraycopy(bytes, 0, array, layout.offset(place[rank], buffer), bytes.length);
  }

  /** Fills {@code into} from a buffer, from {@code byteOffset} on. */
  void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
    Objects.checkIndex(rank, send.length);
    Objects.checkFromIndexSize(byteOffset, into.length, (long) layout.capacityBytes());
    int at = layout.offset(place[rank], buffer) + (int) byteOffset;
    System.arraycopy(buffer(rank, buffer), at, into, 0, into.length);
  }

  /** From now on runs of slots lie in these buffers. */
  void pick(StagingUse use) {
    for (int rank = 0; rank < picked.length; rank++) {
      picked[rank] = use.buffer(rank);
    }
  }

  /** The buffer of a rank's slots that was picked last. */
  byte[] slots(int rank) {
    return picked[rank] < slots[rank].length ? slots[rank][picked[rank]] : NONE;
  }

  /** The run that a region starts; not for {@link Space#NEGATIVE_ZERO}, which is no memory. */
  ArrayRun run(Region region) {
    int rank = region.rank();
    return switch (region.space()) {
      case SEND -> run(region, send[rank], layout.offset(place[rank], DataBuffer.SEND));
      case RECV -> run(region, recv[rank], layout.offset(place[rank], DataBuffer.RECV));
      case SLOT -> run(region, slots(rank), 0);
      case NEGATIVE_ZERO -> throw new IllegalArgumentException("no memory: " + region);
    };
  }

  private static ArrayRun run(Region region, byte[] array, int start) {
    return new ArrayRun(array, Math.toIntExact(start + region.byteOffset()), region.type());
  }

  void allocateSlots(int rank, int buffer, long bytes) {
    String what = "rank " + rank + "'s staging memory";
    requireArraySize(bytes, what);
    int present = slots[rank].length;
    if (buffer >= present) {
      slots[rank] = Arrays.copyOf(slots[rank], buffer + 1);
      Arrays.fill(slots[rank], present, buffer + 1, NONE);
    }
    slots[rank][buffer] = array((int) bytes, what);
    LiveObjects.opened("cpu staging");
  }

  /** Frees one; returns how many bytes it had. */
  long freeSlots(int rank, int buffer) {
    long bytes = slots[rank][buffer].length;
    slots[rank][buffer] = NONE;
    LiveObjects.closed("cpu staging");
    return bytes;
  }

  private byte[] buffer(int rank, DataBuffer buffer) {
    return buffer == DataBuffer.SEND ? send[rank] : recv[rank];
  }

  private static byte[] array(int bytes, String what) {
    try {
      return new byte[bytes];
    } catch (OutOfMemoryError e) {
      throw new BackendException(
          "no memory for the "
              + bytes
              + " bytes of "
              + what
              + ": the heap may grow to "
              + Runtime.getRuntime().maxMemory()
              + " bytes; give it more: LAB_JAVA_OPTS=-Xmx8g",
          e);
    }
  }

  private static void requireArraySize(long bytes, String what) {
    if (bytes > BufferLayout.LARGEST_BYTES) {
      throw new BackendException(
          what
              + " cannot have "
              + bytes
              + " bytes: the cpu backend allows at most "
              + BufferLayout.LARGEST_BYTES);
    }
  }
}
