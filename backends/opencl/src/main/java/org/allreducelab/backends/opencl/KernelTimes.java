package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_PROFILING_COMMAND_END;
import static org.lwjgl.opencl.CL10.CL_PROFILING_COMMAND_START;
import static org.lwjgl.opencl.CL10.clReleaseEvent;
import static org.lwjgl.opencl.CL10.nclGetEventProfilingInfo;

import java.util.Arrays;
import org.allreducelab.backends.device.DeviceTimes;
import org.lwjgl.system.MemoryUtil;

/**
 * The events of one invocation's kernels, for queues with profiling: when each began and ended by
 * the device's clock, which all queues of a context on one device share.
 */
final class KernelTimes implements AutoCloseable {
  private final DeviceContext context;
  private final long[] busyNs;
  private final long time = MemoryUtil.nmemAllocChecked(Long.BYTES);
  private long[] events = new long[64];
  private int[] ranks = new int[64];
  private int size;

  KernelTimes(DeviceContext context, int ranks) {
    this.context = context;
    busyNs = new long[ranks];
  }

  /** Takes over a kernel's event. */
  void add(int rank, long event) {
    if (size == events.length) {
      events = Arrays.copyOf(events, 2 * size);
      ranks = Arrays.copyOf(ranks, 2 * size);
    }
    events[size] = event;
    ranks[size] = rank;
    size++;
  }

  /** Reads the times of the kernels, which are complete, and forgets them. */
  DeviceTimes read() {
    if (size == 0) {
      return DeviceTimes.UNKNOWN;
    }
    long startNs = Long.MAX_VALUE;
    long endNs = Long.MIN_VALUE;
    Arrays.fill(busyNs, 0);
    for (int i = 0; i < size; i++) {
      long began = at(events[i], CL_PROFILING_COMMAND_START);
      long ended = at(events[i], CL_PROFILING_COMMAND_END);
      startNs = Math.min(startNs, began);
      endNs = Math.max(endNs, ended);
      busyNs[ranks[i]] += ended - began;
    }
    release();
    return new DeviceTimes(endNs - startNs, Arrays.stream(busyNs).max().orElse(0));
  }

  private long at(long event, int what) {
    context.check(
        nclGetEventProfilingInfo(event, what, Long.BYTES, time, 0), "clGetEventProfilingInfo");
    return MemoryUtil.memGetLong(time);
  }

  private void release() {
    for (int i = 0; i < size; i++) {
      clReleaseEvent(events[i]);
    }
    size = 0;
  }

  @Override
  public void close() {
    release();
    MemoryUtil.nmemFree(time);
  }
}
