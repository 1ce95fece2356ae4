package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.*;

import java.util.List;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.probe.Engine;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/**
 * One side of a probed pair: a logical device with a queue, and commands that are written anew: two
 * lists in turn, so that one may be pending while the other is written.
 */
final class ProbeSide implements AutoCloseable {
  private final LogicalDevice device;
  private final CopyKernel kernel;
  private final CommandPool pool;
  private final List<VkCommandBuffer> lists;
  private final Commands acquires;
  private final Closing made;
  private int begun;

  ProbeSide(PhysicalDevice physical, QueueFamily family, GlslCompiler compiler) {
    try (Closing closing = new Closing()) {
      device = closing.keep(new LogicalDevice(physical, family, 1));
      kernel = closing.keep(new CopyKernel(device, compiler));
      pool = closing.keep(new CommandPool(device));
      lists = List.of(pool.allocate(), pool.allocate());
      acquires = new Commands(device, true);
      made = closing.handOver();
    }
  }

  LogicalDevice device() {
    return device;
  }

  /** Starts a new list of commands; all but the one before must have ended. */
  void begin() {
    begun++;
    CommandPool.begin(list(), VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, device);
    barrier();
  }

  private VkCommandBuffer list() {
    return lists.get(begun % lists.size());
  }

  /** Sees what a peer wrote to a buffer by the same means as groups do. */
  void acquire(Engine engine, DeviceBuffer buffer, ProbeSide from) {
    if (device.isApartFrom(from.device)) {
      boolean kernel = engine == Engine.KERNEL;
      acquires.acquireForeign(
          list(),
          List.of(buffer.handle()),
          kernel ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT,
          kernel ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_TRANSFER_READ_BIT);
    }
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
      vkCmdPipelineBarrier(list(), stages, stages, 0, barrier, null, null);
    }
  }

  /** From where to where, at multiples of 4. */
  record Way(DeviceBuffer from, long fromAt, DeviceBuffer to, long toAt) {
    private CopyKernel.Way addresses() {
      return new CopyKernel.Way(from.address() + fromAt, to.address() + toAt);
    }
  }

  /** Copies bytes, a multiple of 4, between multiples of 4. */
  void copy(Engine engine, DeviceBuffer from, long fromAt, DeviceBuffer to, long toAt, long bytes) {
    Way way = new Way(from, fromAt, to, toAt);
    switch (engine) {
      case KERNEL -> kernel.dispatch(list(), way.addresses(), bytes);
      case COPY -> command(way, bytes);
    }
  }

  /** Makes two copies, of as many bytes each, that nothing orders. */
  void copyBoth(Engine engine, Way one, Way other, long bytes) {
    switch (engine) {
      case KERNEL -> kernel.dispatchBoth(list(), one.addresses(), other.addresses(), bytes);
      case COPY -> {
        command(one, bytes);
        command(other, bytes);
      }
    }
  }

  private void command(Way way, long bytes) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      vkCmdCopyBuffer(
          list(),
          way.from().handle(),
          way.to().handle(),
          VkBufferCopy.calloc(1, stack).srcOffset(way.fromAt()).dstOffset(way.toAt()).size(bytes));
    }
  }

  /** Sets bytes, a multiple of 4 at a multiple of 4, to a repeated word. */
  void fill(DeviceBuffer buffer, long at, long bytes, int word) {
    vkCmdFillBuffer(list(), buffer.handle(), at, bytes, word);
  }

  /** Ends the list and starts it. */
  void submit(@Nullable Timeline await, long awaited, Timeline signal, long signalled) {
    barrier();
    check(vkEndCommandBuffer(list()), "vkEndCommandBuffer", device.name());
    submit(list(), await, awaited, signal, signalled);
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
