package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.VK_QUERY_RESULT_64_BIT;
import static org.lwjgl.vulkan.VK10.VK_QUERY_RESULT_WAIT_BIT;
import static org.lwjgl.vulkan.VK10.VK_QUERY_TYPE_TIMESTAMP;
import static org.lwjgl.vulkan.VK10.vkCmdWriteTimestamp;
import static org.lwjgl.vulkan.VK10.vkCreateQueryPool;
import static org.lwjgl.vulkan.VK10.vkDestroyQueryPool;
import static org.lwjgl.vulkan.VK10.vkGetQueryPoolResults;
import static org.lwjgl.vulkan.VK12.vkResetQueryPool;

import java.nio.LongBuffer;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkQueryPoolCreateInfo;

/** Timestamps of one logical device, each written by one command and read by the host. */
final class QueryPool implements AutoCloseable {
  private static final String KIND = "vulkan query pool";

  private final LogicalDevice device;
  private final int capacity;
  private final long handle;
  private final LongBuffer results;
  private boolean closed;

  /**
   * @param capacity how many timestamps, ≥ 1
   */
  QueryPool(LogicalDevice device, int capacity) {
    this.device = device;
    this.capacity = capacity;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      check(
          vkCreateQueryPool(
              device.handle(),
              VkQueryPoolCreateInfo.calloc(stack)
                  .sType$Default()
                  .queryType(VK_QUERY_TYPE_TIMESTAMP)
                  .queryCount(capacity),
              null,
              made),
          "vkCreateQueryPool",
          device.name());
      handle = made.get(0);
    }
    results = MemoryUtil.memCallocLong(capacity);
    LiveObjects.opened(KIND);
  }

  /** From the host: to be called before commands that write are submitted, none being pending. */
  void reset() {
    vkResetQueryPool(device.handle(), handle, 0, capacity);
  }

  /**
   * Records a timestamp for when all commands before it have passed a stage.
   *
   * @param stage VkPipelineStageFlagBits
   */
  void write(VkCommandBuffer commands, int stage, int index) {
    vkCmdWriteTimestamp(commands, stage, handle, index);
  }

  /** Fetches the first {@code count}; to be called when the commands that write them are done. */
  void read(int count) {
    check(
        vkGetQueryPoolResults(
            device.handle(),
            handle,
            0,
            count,
            results,
            Long.BYTES,
            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults",
        device.name());
  }

  /** Ticks, as {@link #read} fetched them; only the family's valid bits mean something. */
  long ticks(int index) {
    return results.get(index);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      vkDestroyQueryPool(device.handle(), handle, null);
      MemoryUtil.memFree(results);
      LiveObjects.closed(KIND);
    }
  }
}
