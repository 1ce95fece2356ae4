package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.*;

import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Engine;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/** One side of a probed pair: a logical device with a queue, and commands that are written anew. */
final class ProbeSide implements AutoCloseable {
  private final LogicalDevice device;
  private final CopyKernel kernel;
  private final CommandPool pool;
  private final VkCommandBuffer commands;
  private final Closing made;

  ProbeSide(PhysicalDevice physical, QueueFamily family, GlslCompiler compiler) {
    try (Closing closing = new Closing()) {
      device = closing.keep(new LogicalDevice(physical, family, 1));
      kernel = closing.keep(new CopyKernel(device, compiler));
      pool = closing.keep(new CommandPool(device));
      commands = pool.allocate();
      made = closing.handOver();
    }
  }

  LogicalDevice device() {
    return device;
  }

  /** Starts a new list of commands; those before must have ended. */
  void begin() {
    CommandPool.begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, device);
    barrier();
  }

  /** What follows sees what came before, on the device and on the host. */
  void barrier() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkMemoryBarrier.Buffer barrier =
          VkMemoryBarrier.calloc(1, stack)
              .sType$Default()
              .srcAccessMask(VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT)
              .dstAccessMask(
                  VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
      int stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
      vkCmdPipelineBarrier(commands, stages, stages, 0, barrier, null, null);
    }
  }

  /** Copies bytes, a multiple of 4, between multiples of 4. */
  void copy(Engine engine, DeviceBuffer from, long fromAt, DeviceBuffer to, long toAt, long bytes) {
    switch (engine) {
      case KERNEL -> kernel.dispatch(commands, from.address() + fromAt, to.address() + toAt, bytes);
      case COPY -> {
        try (MemoryStack stack = MemoryStack.stackPush()) {
          vkCmdCopyBuffer(
              commands,
              from.handle(),
              to.handle(),
              VkBufferCopy.calloc(1, stack).srcOffset(fromAt).dstOffset(toAt).size(bytes));
        }
      }
    }
  }

  /** Sets bytes, a multiple of 4 at a multiple of 4, to a repeated word. */
  void fill(DeviceBuffer buffer, long at, long bytes, int word) {
    vkCmdFillBuffer(commands, buffer.handle(), at, bytes, word);
  }

  /** Ends the list and starts it. */
  void submit(@Nullable Timeline await, long awaited, Timeline signal, long signalled) {
    barrier();
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer", device.name());
    submit(commands, await, awaited, signal, signalled);
  }

  /** Passes a signal on. */
  void relay(Timeline await, long awaited, Timeline signal, long signalled) {
    submit(null, await, awaited, signal, signalled);
  }

  private void submit(
      @Nullable VkCommandBuffer work,
      @Nullable Timeline await,
      long awaited,
      Timeline signal,
      long signalled) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkTimelineSemaphoreSubmitInfo values =
          VkTimelineSemaphoreSubmitInfo.calloc(stack)
              .sType$Default()
              .pSignalSemaphoreValues(stack.longs(signalled));
      VkSubmitInfo info =
          VkSubmitInfo.calloc(stack)
              .sType$Default()
              .pNext(values)
              .pSignalSemaphores(stack.longs(signal.handle()));
      if (work != null) {
        info.pCommandBuffers(stack.pointers(work));
      }
      if (await != null) {
        values.pWaitSemaphoreValues(stack.longs(awaited));
        info.waitSemaphoreCount(1)
            .pWaitSemaphores(stack.longs(await.handle()))
            .pWaitDstStageMask(stack.ints(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT));
      }
      check(vkQueueSubmit(device.queue(0), info, VK_NULL_HANDLE), "vkQueueSubmit", device.name());
    }
  }

  @Override
  public void close() {
    made.close();
  }
}
