package org.allreducelab.results;

import org.jspecify.annotations.Nullable;

/**
 * Where the time of an all-reduce goes, taken in a fork apart from its latency samples: medians
 * over invocations of which one is in flight at a time, and what the signals between the ranks cost
 * just then. What the backend or device does not measure is absent.
 *
 * @param submitNs host time to start it
 * @param waitNs host time waiting for it after that
 * @param deviceNs on the device, from the first kernel's start to the last one's end; of devices
 *     apart, which have clocks of their own, the longest
 * @param kernelsNs on the device, the most that the work of one rank, or of the ranks that share a
 *     queue, took together, waits left out
 * @param oneElementNs host time of an all-reduce of one element by the same ranks, the least over
 *     several times 16 in a row
 */
public record TimeParts(
    @Nullable Long submitNs,
    @Nullable Long waitNs,
    @Nullable Long deviceNs,
    @Nullable Long kernelsNs,
    @Nullable Long oneElementNs) {

  /** Nothing measured. */
  public static final TimeParts UNKNOWN = new TimeParts(null, null, null, null, null);
}
