package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Hands out runs of one rank's staging memory, first fit, like registers: a run is reused only when
 * its owner already knows, from waits it has anyway, that all readers are done. So staging adds no
 * waits, and the memory stays small.
 */
final class SlotAllocator {
  /** Device kernels use 16-byte accesses; a slot starts at the same phase as the span it holds. */
  private static final int ACCESS_BYTES = 16;

  private final int ranks;
  private final List<Slot> live = new ArrayList<>();
  private long peakBytes;

  SlotAllocator(int ranks) {
    this.ranks = ranks;
  }

  /**
   * Takes {@code bytes} bytes that start at {@code phase} modulo the access size.
   *
   * @param clock what the owner knows of the others' progress
   */
  Slot allocate(long bytes, long phase, int[] clock) {
    live.removeIf(slot -> slot.isFree(clock));
    live.sort(Comparator.comparingLong(slot -> slot.start));
    long at = align(0, phase);
    for (Slot slot : live) {
      if (at + bytes <= slot.start) {
        break;
      }
      at = Math.max(at, align(slot.end, phase));
    }
    Slot taken = new Slot(at, at + bytes, ranks);
    live.add(taken);
    peakBytes = Math.max(peakBytes, taken.end);
    return taken;
  }

  private static long align(long from, long phase) {
    return from + Math.floorMod(phase - from, (long) ACCESS_BYTES);
  }

  /** Staging memory needed so far, in bytes. */
  long peakBytes() {
    return peakBytes;
  }
}
