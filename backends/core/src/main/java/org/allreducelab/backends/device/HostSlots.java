package org.allreducelab.backends.device;

import java.nio.ByteBuffer;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.staging.StagingUse;

/** Slot memory of all ranks, in the host. */
final class HostSlots {
  private final SlotBuffers<HostMemory> slots;
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
   * @param device the rank's
   * @throws BackendException if the host has no memory for it
   */
  ByteBuffer allocate(int rank, int buffer, long bytes, RankDevice device) {
    long size = (bytes + alignment - 1) & -alignment;
    if (size + alignment > Integer.MAX_VALUE) {
      throw new BackendException(
          "no staging memory of " + bytes + " bytes: the host's is at most 2 GiB per rank");
    }
    HostMemory made = device.slotMemory((int) size, alignment);
    slots.put(rank, buffer, made);
    return made.bytes();
  }

  void free(int rank, int buffer) {
    HostMemory present = slots.remove(rank, buffer);
    if (present != null) {
      present.close();
    }
  }

  void pick(StagingUse use) {
    slots.pick(use);
  }

  /** Flips a bit of the buffer in use, where it has such a byte. */
  void flip(int rank, long byteOffset, int bit) {
    HostMemory present = slots.present(rank);
    if (present != null && byteOffset < present.bytes().capacity()) {
      ByteBuffer of = present.bytes();
      of.put((int) byteOffset, (byte) (of.get((int) byteOffset) ^ 1 << bit));
    }
  }
}
