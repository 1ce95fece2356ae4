package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.*;

import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.device.Closing;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/**
 * Copies between the host and buffers of one logical device, through a mapped buffer. Waits for
 * each copy; not for timed paths.
 */
final class Transfers implements AutoCloseable {
  private static final long STAGE_BYTES = 4 << 20;

  private final LogicalDevice device;
  private final long deadlineNs;
  private final CommandPool pool;
  private final VkCommandBuffer commands;
  private final Timeline done;
  private final Watch watch;
  private final DeviceBuffer stage;
  private long copies;

  Transfers(LogicalDevice device, long deadlineNs) {
    this.device = device;
    this.deadlineNs = deadlineNs;
    try (Closing closing = new Closing()) {
      pool = closing.keep(new CommandPool(device));
      commands = pool.allocate();
      done = closing.keep(Timeline.plain(device));
      watch = closing.keep(new Watch(done));
      stage = closing.keep(DeviceBuffer.mapped(device, STAGE_BYTES));
      closing.succeeded();
    }
  }

  void write(VkQueue queue, DeviceBuffer to, long offset, byte[] bytes) {
    for (int at = 0; at < bytes.length; at += (int) STAGE_BYTES) {
      int length = (int) Math.min(STAGE_BYTES, bytes.length - at);
      MemoryUtil.memByteBuffer(stage.mapped(), length).put(bytes, at, length);
      copy(queue, stage, 0, to, offset + at, length);
    }
  }

  void read(VkQueue queue, DeviceBuffer from, long offset, byte[] bytes) {
    for (int at = 0; at < bytes.length; at += (int) STAGE_BYTES) {
      int length = (int) Math.min(STAGE_BYTES, bytes.length - at);
      copy(queue, from, offset + at, stage, 0, length);
      MemoryUtil.memByteBuffer(stage.mapped(), length).get(bytes, at, length);
    }
  }

  private void copy(
      VkQueue queue,
      DeviceBuffer from,
      long fromOffset,
      DeviceBuffer to,
      long toOffset,
      long bytes) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      CommandPool.begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, device);
      barrier(
          stack,
          VK_ACCESS_MEMORY_WRITE_BIT,
          VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
      VkBufferCopy.Buffer region =
          VkBufferCopy.calloc(1, stack).srcOffset(fromOffset).dstOffset(toOffset).size(bytes);
      vkCmdCopyBuffer(commands, from.handle(), to.handle(), region);
      barrier(
          stack,
          VK_ACCESS_MEMORY_WRITE_BIT,
          VK_ACCESS_HOST_READ_BIT | VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
      check(vkEndCommandBuffer(commands), "vkEndCommandBuffer", device.name());
      VkSubmitInfo info =
          VkSubmitInfo.calloc(stack)
              .sType$Default()
              .pNext(
                  VkTimelineSemaphoreSubmitInfo.calloc(stack)
                      .sType$Default()
                      .pSignalSemaphoreValues(stack.longs(copies + 1)))
              .pCommandBuffers(stack.pointers(commands))
              .pSignalSemaphores(stack.longs(done.handle()));
      check(vkQueueSubmit(queue, info, VK_NULL_HANDLE), "vkQueueSubmit", device.name());
      copies++;
    }
    if (!watch.await(copies, deadlineNs)) {
      throw new BackendException(
          "a copy of " + bytes + " bytes on " + device.name() + " did not end before the deadline");
    }
  }

  /** Whether the last copy has ended; waits for that. */
  boolean idle(long timeoutNs) {
    return watch.await(copies, timeoutNs);
  }

  private void barrier(MemoryStack stack, int from, int to) {
    VkMemoryBarrier.Buffer barrier =
        VkMemoryBarrier.calloc(1, stack).sType$Default().srcAccessMask(from).dstAccessMask(to);
    vkCmdPipelineBarrier(
        commands,
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
        0,
        barrier,
        null,
        null);
  }

  @Override
  public void close() {
    stage.close();
    watch.close();
    done.close();
    pool.close();
  }
}
