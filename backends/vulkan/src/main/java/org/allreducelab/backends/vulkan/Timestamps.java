package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.device.Closing;
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
  private final Sites sites;
  private final Closing made;
  private final List<QueryPool> pools = new ArrayList<>();
  private final List<List<Integer>> streams = new ArrayList<>();

  private Timestamps(Sites sites, int submissions) {
    this.sites = sites;
    try (Closing closing = new Closing()) {
      for (LogicalDevice device : sites.devices()) {
        pools.add(closing.keep(new QueryPool(device, 2 * submissions)));
        streams.add(new ArrayList<>());
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

  /** Records the start of a stream's step, after the barrier that it begins with. */
  void start(VkCommandBuffer commands, int deviceIndex, int stream) {
    // Of this stage, since waits and barriers hold it back, as they hold back the kernels.
    pools
        .get(deviceIndex)
        .write(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 2 * streams.get(deviceIndex).size());
    streams.get(deviceIndex).add(stream);
  }

  /** Records the end of the step whose start was recorded last. */
  void end(VkCommandBuffer commands, int deviceIndex) {
    pools
        .get(deviceIndex)
        .write(
            commands,
            VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
            2 * streams.get(deviceIndex).size() - 1);
  }

  /** Before an invocation. */
  void reset() {
    pools.forEach(QueryPool::reset);
  }

  /** After an invocation: the span of each device that had a submission. */
  List<DeviceSpan> read() {
    List<DeviceSpan> spans = new ArrayList<>();
    for (int d = 0; d < pools.size(); d++) {
      List<Integer> ofDevice = streams.get(d);
      if (ofDevice.isEmpty()) {
        continue;
      }
      QueryPool pool = pools.get(d);
      pool.read(2 * ofDevice.size());
      LogicalDevice device = sites.devices().get(d);
      DeviceSpan span =
          new DeviceSpan(
              sites.ranks(), device.family().timestampBits(), device.facts().timestampPeriodNs());
      for (int i = 0; i < ofDevice.size(); i++) {
        span.add(ofDevice.get(i), pool.ticks(2 * i), pool.ticks(2 * i + 1));
      }
      spans.add(span);
    }
    return spans;
  }

  @Override
  public void close() {
    made.close();
  }
}
