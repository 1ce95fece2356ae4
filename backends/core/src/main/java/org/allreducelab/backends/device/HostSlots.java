package org.allreducelab.backends.device;

import java.nio.ByteBuffer;
import org.allreducelab.backends.BackendException;
import org.jspecify.annotations.Nullable;

/** Slot memory of all ranks, in the host. */
final class HostSlots {
  private final @Nullable ByteBuffer[] slots;
  private final int alignment;

  /**
   * @param alignment of each rank's memory, start and size; a power of two
   */
  HostSlots(int ranks, int alignment) {
    slots = new ByteBuffer[ranks];
    this.alignment = alignment;
  }

  /**
   * Makes a rank's.
   *
   * @throws BackendException if the host has no memory for it
   */
  ByteBuffer allocate(int rank, long bytes) {
    long size = (bytes + alignment - 1) & -alignment;
    if (size + alignment > Integer.MAX_VALUE) {
      throw new BackendException(
          "no staging memory of " + bytes + " bytes: the host's is at most 2 GiB per rank");
    }
    try {
      // The collector frees it: nothing keeps it after free().
      ByteBuffer whole = ByteBuffer.allocateDirect((int) size + alignment);
      ByteBuffer made = whole.alignedSlice(alignment).slice(0, (int) size);
      slots[rank] = made;
      return made;
    } catch (OutOfMemoryError e) {
      throw new BackendException(
          "no host memory for "
              + size
              + " bytes of staging: "
              + e.getMessage()
              + "; give direct memory more room: LAB_JAVA_OPTS=-XX:MaxDirectMemorySize=8g",
          e);
    }
  }

  void free(int rank) {
    slots[rank] = null;
  }

  /** Flips a bit, where there is such a byte. */
  void flip(int rank, long byteOffset, int bit) {
    ByteBuffer of = slots[rank];
    if (of != null && byteOffset < of.capacity()) {
      of.put((int) byteOffset, (byte) (of.get((int) byteOffset) ^ 1 << bit));
    }
  }
}
