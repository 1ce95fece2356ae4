package org.allreducelab.backends.device;

import org.allreducelab.backends.Timings;

/**
 * What devices' own clocks say of an invocation.
 *
 * @param deviceNs as {@link Timings#deviceNs()}
 * @param kernelsNs as {@link Timings#kernelsNs()}
 */
public record DeviceTimes(long deviceNs, long kernelsNs) {
  /** Not measured. */
  public static final DeviceTimes UNKNOWN = new DeviceTimes(Timings.UNKNOWN, Timings.UNKNOWN);

  /** The longer of each, for devices whose clocks do not compare. What is unknown is shortest. */
  public DeviceTimes longest(DeviceTimes other) {
    return new DeviceTimes(
        Math.max(deviceNs, other.deviceNs), Math.max(kernelsNs, other.kernelsNs));
  }
}
