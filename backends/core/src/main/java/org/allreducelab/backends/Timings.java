package org.allreducelab.backends;

/**
 * Where the time of an invocation went.
 *
 * <p>Device times are measured where {@link GroupSpec#timestamps()} asks for them and the device
 * can. Devices apart, logical ones too, have clocks of their own: then it is the longest of any one
 * device.
 *
 * @param submitNs host time inside {@code enqueue()}, in nanoseconds, or {@link #UNKNOWN}
 * @param waitNs host time inside {@code await()}, in nanoseconds, or {@link #UNKNOWN}
 * @param deviceNs from the first kernel's start to the last one's end by the device's own clock,
 *     waits for other ranks included, in nanoseconds, or {@link #UNKNOWN}
 * @param kernelsNs the same less the waits: the most that the work of one rank, or of ranks that
 *     share a queue, took together (on a single queue the whole), or {@link #UNKNOWN}
 */
public record Timings(long submitNs, long waitNs, long deviceNs, long kernelsNs) {
  /** Not measured by this backend or device. */
  public static final long UNKNOWN = -1;

  /** Nothing known. */
  public static final Timings NONE = new Timings(UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);
}
