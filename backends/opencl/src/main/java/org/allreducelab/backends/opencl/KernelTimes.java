package org.allreducelab.backends.opencl;

import java.util.Arrays;
import org.allreducelab.backends.device.DeviceSpan;
import org.allreducelab.backends.device.DeviceTimes;
import org.allreducelab.backends.opencl.Recording.Step;

/**
 * The events of one invocation's kernels, for queues with profiling: when each began and ended by
 * the device's clock, which all queues of a context on one device share. Kernels count for their
 * lane, whose queue executes them in order.
 */
final class KernelTimes implements AutoCloseable {
  private static final int TIME_BITS = 64;

  private final Profile profile;
  private final int laneCount;
  private long[] events = new long[64];
  private int[] lanes = new int[64];
  private int size;

  /** What a driver knows of completed events. */
  interface Profile extends AutoCloseable {
    /** When the command of an event began, nanoseconds. */
    long startNs(long event);

    /** When it ended, nanoseconds. */
    long endNs(long event);

    /** The event is not asked for again. */
    void release(long event);

    @Override
    void close();
  }

  /**
   * @param profile belongs to these times from now on
   */
  KernelTimes(Profile profile, int lanes) {
    this.profile = profile;
    laneCount = lanes;
  }

  /** Takes over the event of a kernel of a step. */
  void add(Step step, long event) {
    if (size == events.length) {
      events = Arrays.copyOf(events, 2 * size);
      lanes = Arrays.copyOf(lanes, 2 * size);
    }
    events[size] = event;
    lanes[size] = step.lane();
    size++;
  }

  /** Reads the times of the kernels, which are complete, and forgets them. */
  DeviceTimes read() {
    DeviceSpan span = new DeviceSpan(laneCount, TIME_BITS, 1);
    for (int i = 0; i < size; i++) {
      span.add(lanes[i], profile.startNs(events[i]), profile.endNs(events[i]));
    }
    release();
    return span.times();
  }

  private void release() {
    for (int i = 0; i < size; i++) {
      profile.release(events[i]);
    }
    size = 0;
  }

  @Override
  public void close() {
    release();
    profile.close();
  }
}
