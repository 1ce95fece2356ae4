package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.DeviceTimes;
import org.allreducelab.backends.lowering.StreamStep;
import org.allreducelab.backends.vulkan.TimedSteps.Counter;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * When the steps of a recording start and end, by their devices' clocks.
 *
 * <p>Every step has its own two slots, so one invocation may be in flight at a time: the group sees
 * to that. Vulkan promises that timestamps of one queue compare; those of different queues of a
 * device do where, as on every device we know of, the device has one counter.
 */
final class Timestamps implements AutoCloseable {
  private final TimedSteps steps;
  private final Closing made;
  private final List<QueryPool> pools = new ArrayList<>();

  private Timestamps(Sites sites, int submissions) {
    steps =
        new TimedSteps(
            sites.ranks(),
            sites.devices().stream()
                .map(d -> new Counter(d.family().timestampBits(), d.facts().timestampPeriodNs()))
                .toList());
    try (Closing closing = new Closing()) {
      for (LogicalDevice device : sites.devices()) {
        pools.add(closing.keep(new QueryPool(device, 2 * submissions)));
      }
      made = closing.handOver();
    }
  }

  /**
   * Room for timestamps; null where a device has none, or nothing is submitted.
   *
   * @param submissions the most on one device
   */
  static @Nullable Timestamps of(Sites sites, int submissions) {
    boolean valid =
        sites.devices().stream()
            .allMatch(d -> d.family().timestampBits() > 0 && d.facts().hostQueryReset());
    return valid && submissions > 0 ? new Timestamps(sites, submissions) : null;
  }

  /** Records the start of a step, after the barrier that it begins with. */
  void start(VkCommandBuffer commands, int deviceIndex, StreamStep step) {
    // Of this stage, since waits and barriers hold it back, as they hold back the kernels.
    pools
        .get(deviceIndex)
        .write(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, steps.add(deviceIndex, step));
  }

  /** Records the end of the step whose start was recorded last. */
  void end(VkCommandBuffer commands, int deviceIndex) {
    pools
        .get(deviceIndex)
        .write(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, steps.timestamps(deviceIndex) - 1);
  }

  /** Before an invocation. */
  void reset() {
    pools.forEach(QueryPool::reset);
  }

  /** After an invocation: what it took. */
  DeviceTimes read() {
    for (int d = 0; d < pools.size(); d++) {
      int timestamps = steps.timestamps(d);
      if (timestamps > 0) {
        pools.get(d).read(timestamps);
      }
    }
    return steps.times((device, timestamp) -> pools.get(device).ticks(timestamp));
  }

  @Override
  public void close() {
    made.close();
  }
}
