package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_PROFILING_COMMAND_END;
import static org.lwjgl.opencl.CL10.CL_PROFILING_COMMAND_START;
import static org.lwjgl.opencl.CL10.clReleaseEvent;
import static org.lwjgl.opencl.CL10.nclGetEventProfilingInfo;

import org.lwjgl.system.MemoryUtil;

/** The profile of events of a context, whose queues have profiling. */
final class EventProfile implements KernelTimes.Profile {
  private final DeviceContext context;
  private final long time = MemoryUtil.nmemAllocChecked(Long.BYTES);

  EventProfile(DeviceContext context) {
    this.context = context;
  }

  @Override
  public long startNs(long event) {
    return at(event, CL_PROFILING_COMMAND_START);
  }

  @Override
  public long endNs(long event) {
    return at(event, CL_PROFILING_COMMAND_END);
  }

  private long at(long event, int what) {
    context.check(
        nclGetEventProfilingInfo(event, what, Long.BYTES, time, 0), "clGetEventProfilingInfo");
    return MemoryUtil.memGetLong(time);
  }

  @Override
  public void release(long event) {
    clReleaseEvent(event);
  }

  @Override
  public void close() {
    MemoryUtil.nmemFree(time);
  }
}
