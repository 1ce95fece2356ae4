package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.EXTQueueFamilyForeign.VK_QUEUE_FAMILY_FOREIGN_EXT;
import static org.lwjgl.vulkan.VK10.*;

import java.util.Collection;
import java.util.List;
import org.allreducelab.backends.kernels.FoldTable;
import org.allreducelab.backends.vulkan.FoldPipelines.Bound;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferMemoryBarrier;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkMemoryBarrier;

/** Writes kernels into command buffers that may be pending several times at once. */
final class Commands {
  private final LogicalDevice device;
  private final boolean throughHost;

  /**
   * @param throughHost whether slots lie in host memory, which other devices read
   */
  Commands(LogicalDevice device, boolean throughHost) {
    this.device = device;
    this.throughHost = throughHost;
  }

  VkCommandBuffer begin(CommandPool pool) {
    VkCommandBuffer commands = pool.allocate();
    CommandPool.begin(commands, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, device);
    return commands;
  }

  /**
   * What follows sees what other devices wrote to buffers and signalled before it started.
   *
   * <p>NVIDIA's driver (580.159) invalidates what a GPU has cached of host memory for nothing less:
   * neither the barrier of {@link #acquire(VkCommandBuffer)} nor one with {@code
   * VK_QUEUE_FAMILY_EXTERNAL} does, nor do volatile or coherent accesses.
   *
   * @param buffers handles of this device's, of memory that others write
   */
  void acquireForeign(VkCommandBuffer commands, Collection<Long> buffers) {
    if (buffers.isEmpty() || !device.acquiresForeign()) {
      return;
    }
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkBufferMemoryBarrier.Buffer barriers = VkBufferMemoryBarrier.calloc(buffers.size(), stack);
      for (long buffer : buffers) {
        barriers
            .get()
            .sType$Default()
            .dstAccessMask(VK_ACCESS_SHADER_READ_BIT)
            .srcQueueFamilyIndex(VK_QUEUE_FAMILY_FOREIGN_EXT)
            .dstQueueFamilyIndex(device.family().index())
            .buffer(buffer)
            .size(VK_WHOLE_SIZE);
      }
      vkCmdPipelineBarrier(
          commands,
          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
          0,
          null,
          barriers.flip(),
          null);
    }
  }

  /** What follows sees all that was submitted to the queue before, and what the host saw. */
  void acquire(VkCommandBuffer commands) {
    int host = throughHost ? VK_PIPELINE_STAGE_HOST_BIT : 0;
    barrier(
        commands,
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | host,
        VK_ACCESS_MEMORY_WRITE_BIT | (throughHost ? VK_ACCESS_HOST_WRITE_BIT : 0),
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  }

  /** Later kernels see the writes of earlier ones, and overwrite only what those have read. */
  void between(VkCommandBuffer commands) {
    barrier(
        commands,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        VK_ACCESS_SHADER_WRITE_BIT,
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
  }

  /**
   * Dispatches a kernel.
   *
   * @param table the address of the fold records
   */
  void dispatch(
      VkCommandBuffer commands,
      long layout,
      long table,
      List<FoldTable.Dispatch<Bound>> dispatches) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      for (FoldTable.Dispatch<Bound> d : dispatches) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, d.binding().pipeline());
        vkCmdPushConstants(
            commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, stack.longs(table + d.tableOffset()));
        vkCmdDispatch(commands, d.groups(), d.folds(), 1);
      }
    }
  }

  void end(VkCommandBuffer commands) {
    if (throughHost) {
      barrier(
          commands,
          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
          VK_ACCESS_SHADER_WRITE_BIT,
          VK_PIPELINE_STAGE_HOST_BIT,
          VK_ACCESS_HOST_READ_BIT);
    }
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer", device.name());
  }

  private static void barrier(
      VkCommandBuffer commands, int fromStage, int fromAccess, int toStage, int toAccess) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkMemoryBarrier.Buffer barrier =
          VkMemoryBarrier.calloc(1, stack)
              .sType$Default()
              .srcAccessMask(fromAccess)
              .dstAccessMask(toAccess);
      vkCmdPipelineBarrier(commands, fromStage, toStage, 0, barrier, null, null);
    }
  }
}
