package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.VK10.*;

import java.nio.LongBuffer;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;

/** Command buffers of one logical device, freed together. */
final class CommandPool implements AutoCloseable {
  private static final String KIND = "vulkan command pool";

  private final LogicalDevice device;
  private final long handle;
  private boolean closed;

  CommandPool(LogicalDevice device) {
    this.device = device;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.mallocLong(1);
      device.mayFail("vkCreateCommandPool");
      check(
          vkCreateCommandPool(
              device.handle(),
              VkCommandPoolCreateInfo.calloc(stack)
                  .sType$Default()
                  .flags(VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT)
                  .queueFamilyIndex(device.family().index()),
              null,
              made),
          "vkCreateCommandPool",
          device.name());
      handle = made.get(0);
    }
    LiveObjects.opened(KIND);
  }

  LogicalDevice device() {
    return device;
  }

  VkCommandBuffer allocate() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer made = stack.mallocPointer(1);
      check(
          vkAllocateCommandBuffers(
              device.handle(),
              VkCommandBufferAllocateInfo.calloc(stack)
                  .sType$Default()
                  .commandPool(handle)
                  .level(VK_COMMAND_BUFFER_LEVEL_PRIMARY)
                  .commandBufferCount(1),
              made),
          "vkAllocateCommandBuffers",
          device.name());
      return new VkCommandBuffer(made.get(0), device.handle());
    }
  }

  static void begin(VkCommandBuffer commands, int usage, LogicalDevice device) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      check(
          vkBeginCommandBuffer(
              commands, VkCommandBufferBeginInfo.calloc(stack).sType$Default().flags(usage)),
          "vkBeginCommandBuffer",
          device.name());
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      vkDestroyCommandPool(device.handle(), handle, null);
      LiveObjects.closed(KIND);
    }
  }
}
