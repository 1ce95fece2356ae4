package org.allreducelab.backends;

/**
 * Where the time of an invocation went.
 *
 * @param submitNs host time inside {@code enqueue()}, in nanoseconds, or {@link #UNKNOWN}
 * @param waitNs host time inside {@code await()}, in nanoseconds, or {@link #UNKNOWN}
 * @param deviceNs from the first kernel's start to the last one's end by the device's own clock, or
 *     {@link #UNKNOWN}
 */
public record Timings(long submitNs, long waitNs, long deviceNs) {
  /** Not measured by this backend or device. */
  public static final long UNKNOWN = -1;

  /** Nothing known. */
  public static final Timings NONE = new Timings(UNKNOWN, UNKNOWN, UNKNOWN);
}
