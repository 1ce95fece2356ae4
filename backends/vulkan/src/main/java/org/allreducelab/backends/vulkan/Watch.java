package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.VK_SUCCESS;
import static org.lwjgl.vulkan.VK12.vkGetSemaphoreCounterValue;
import static org.lwjgl.vulkan.VK12.vkWaitSemaphores;

import java.nio.LongBuffer;
import java.util.List;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;

/**
 * One thread's view of timelines of one device: waits for all of them, reads each. Allocates
 * nothing while it does.
 */
final class Watch implements AutoCloseable {
  private final LogicalDevice device;
  private final LongBuffer handles;
  private final LongBuffer values;
  private final LongBuffer counter = MemoryUtil.memCallocLong(1);
  private final VkSemaphoreWaitInfo info;
  private boolean closed;

  Watch(Timeline timeline) {
    this(List.of(timeline));
  }

  /**
   * @param timelines at least one, all of one device
   */
  Watch(List<Timeline> timelines) {
    device = timelines.get(0).device();
    handles = MemoryUtil.memCallocLong(timelines.size());
    values = MemoryUtil.memCallocLong(timelines.size());
    for (int i = 0; i < timelines.size(); i++) {
      handles.put(i, timelines.get(i).handle());
    }
    info =
        VkSemaphoreWaitInfo.calloc()
            .sType$Default()
            .semaphoreCount(timelines.size())
            .pSemaphores(handles)
            .pValues(values);
  }

  /** Sets the value that {@link #await(long)} waits for on one of the timelines. */
  void target(int index, long value) {
    values.put(index, value);
  }

  /**
   * Waits until all have reached their targets: polls for a while, then blocks.
   *
   * @param pollNs how long it polls at most, which takes a core but saves waking up
   * @return false if the time passed before
   */
  boolean awaitPolling(long timeoutNs, long pollNs) {
    return polled(Math.min(pollNs, timeoutNs)) || await(timeoutNs);
  }

  private boolean polled(long withinNs) {
    if (withinNs <= 0) {
      return false;
    }
    long startNs = System.nanoTime();
    int reached = 0;
    do {
      while (value(reached) >= values.get(reached)) {
        if (++reached == values.capacity()) {
          return true;
        }
      }
      Thread.onSpinWait();
    } while (System.nanoTime() - startNs < withinNs);
    return false;
  }

  /** Waits until all have reached their targets; false if the time passed before. */
  boolean await(long timeoutNs) {
    device.mayFail("vkWaitSemaphores");
    int code = vkWaitSemaphores(device.handle(), info, Math.max(0, timeoutNs));
    return check(code, "vkWaitSemaphores", device.name()) == VK_SUCCESS;
  }

  /** Waits until the only timeline has reached a value. */
  boolean await(long value, long timeoutNs) {
    target(0, value);
    return await(timeoutNs);
  }

  /** The present value of one of the timelines. */
  long value(int index) {
    device.mayFail("vkGetSemaphoreCounterValue");
    check(
        vkGetSemaphoreCounterValue(device.handle(), handles.get(index), counter),
        "vkGetSemaphoreCounterValue",
        device.name());
    return counter.get(0);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      info.free();
      MemoryUtil.memFree(handles);
      MemoryUtil.memFree(values);
      MemoryUtil.memFree(counter);
    }
  }
}
