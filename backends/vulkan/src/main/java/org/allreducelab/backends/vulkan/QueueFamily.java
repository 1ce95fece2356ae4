package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_QUEUE_COMPUTE_BIT;
import static org.lwjgl.vulkan.VK10.VK_QUEUE_GRAPHICS_BIT;
import static org.lwjgl.vulkan.VK10.VK_QUEUE_TRANSFER_BIT;

/**
 * A queue family of a device.
 *
 * @param index its index
 * @param flags VkQueueFlags
 * @param queues how many queues it has
 * @param timestampBits valid bits of its timestamps, 0 for none
 */
record QueueFamily(int index, int flags, int queues, int timestampBits) {

  boolean computes() {
    return (flags & VK_QUEUE_COMPUTE_BIT) != 0;
  }

  /** Without graphics: there a hop between queues is cheap, where a graphics queue time-slices. */
  boolean computesOnly() {
    return computes() && (flags & VK_QUEUE_GRAPHICS_BIT) == 0;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(index).append(": ").append(queues).append(" ×");
    if ((flags & VK_QUEUE_GRAPHICS_BIT) != 0) {
      text.append(" graphics");
    }
    if (computes()) {
      text.append(" compute");
    }
    if ((flags & VK_QUEUE_TRANSFER_BIT) != 0) {
      text.append(" transfer");
    }
    return text.append(", ").append(timestampBits).append("-bit timestamps").toString();
  }
}
