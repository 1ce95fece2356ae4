package org.allreducelab.backends.device;

import java.nio.ByteBuffer;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.staging.StagingUse;

/** Slot memory of all ranks, in the host. */
final class HostSlots {
  private final SlotBuffers<ByteBuffer> slots;
  private final int alignment;

  /**
   * @param alignment of each rank's memory, start and size; a power of two
   */
  HostSlots(int ranks, int alignment) {
    slots = new SlotBuffers<>(ranks);
    this.alignment = alignment;
  }

  /**
   * Makes a buffer of a rank's.
   *
   * @throws BackendException if the host has no memory for it
   */
  ByteBuffer allocate(int rank, int buffer, long bytes) {
    long size = (bytes + alignment - 1) & -alignment;
    if (size + alignment > Integer.MAX_VALUE) {
      throw new BackendException(
          "no staging memory of " + bytes + " bytes: the host's is at most 2 GiB per rank");
    }
    try {
      // The collector frees it: nothing keeps it after free().
      ByteBuffer whole = ByteBuffer.allocateDirect((int) size + alignment);
      ByteBuffer made = whole.alignedSlice(alignment).slice(0, (int) size);
      slots.put(rank, buffer, made);
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

  void free(int rank, int buffer) {
    slots.remove(rank, buffer);
  }

  void pick(StagingUse use) {
    slots.pick(use);
  }

  /** Flips a bit of the buffer in use, where it has such a byte. */
  void flip(int rank, long byteOffset, int bit) {
    ByteBuffer of = slots.present(rank);
    if (of != null && byteOffset < of.capacity()) {
      of.put((int) byteOffset, (byte) (of.get((int) byteOffset) ^ 1 << bit));
    }
  }
}
