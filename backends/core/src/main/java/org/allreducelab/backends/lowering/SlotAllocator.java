package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;

/**
 * Hands out runs of one rank's staging memory, first fit, like registers: a run is reused only when
 * its owner already knows, from waits it has anyway, that all readers are done. So staging adds no
 * waits, and the memory stays small.
 */
final class SlotAllocator {
  /** Device kernels use 16-byte accesses; a slot starts at the same phase as the span it holds. */
  private static final int ACCESS_BYTES = 16;

  /** In the order of their memory. */
  private final List<Slot> live = new ArrayList<>();

  private long peakBytes;

  /**
   * Takes {@code bytes} bytes that start at {@code phase} modulo the access size.
   *
   * @param clock what the owner knows of the others' progress
   */
  Slot allocate(long bytes, long phase, int[] clock) {
    if (hasHeardOfAll(clock)) {
      live.removeIf(slot -> slot.isFree(clock));
    }
    long at = align(0, phase);
    int before = 0;
    while (before < live.size() && at + bytes > live.get(before).start) {
      at = Math.max(at, align(live.get(before).end, phase));
      before++;
    }
    Slot taken = new Slot(at, at + bytes);
    live.add(before, taken);
    peakBytes = Math.max(peakBytes, taken.end);
    return taken;
  }

  /** Slots are reused only by an owner that has heard of every rank in this invocation. */
  private static boolean hasHeardOfAll(int[] clock) {
    for (int progress : clock) {
      if (progress == SubmissionLog.NOTHING) {
        return false;
      }
    }
    return true;
  }

  private static long align(long from, long phase) {
    return from + Math.floorMod(phase - from, (long) ACCESS_BYTES);
  }

  /** Staging memory needed so far, in bytes. */
  long peakBytes() {
    return peakBytes;
  }
}
