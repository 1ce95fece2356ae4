package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.EXTExternalMemoryHost.VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
import static org.lwjgl.vulkan.EXTExternalMemoryHost.vkGetMemoryHostPointerPropertiesEXT;
import static org.lwjgl.vulkan.KHRExternalMemoryFd.vkGetMemoryFdPropertiesKHR;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkExportMemoryAllocateInfo;
import org.lwjgl.vulkan.VkImportMemoryFdInfoKHR;
import org.lwjgl.vulkan.VkImportMemoryHostPointerInfoEXT;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryFdPropertiesKHR;
import org.lwjgl.vulkan.VkMemoryHostPointerPropertiesEXT;

/** Where a buffer's memory comes from: what that adds to a plain allocation. */
sealed interface BufferKind {
  default int externalType() {
    return 0;
  }

  default void extend(VkMemoryAllocateInfo info, MemoryStack stack) {}

  /** Memory types that the handle allows besides. */
  default int allowedTypes(MemoryStack stack) {
    return -1;
  }

  default boolean dedicated() {
    return false;
  }

  int required();

  int wished();

  record Plain(int required, int wished) implements BufferKind {}

  record Exported(LogicalDevice device, HandleType type) implements BufferKind {
    @Override
    public int externalType() {
      return type.bit();
    }

    @Override
    public void extend(VkMemoryAllocateInfo info, MemoryStack stack) {
      info.pNext(VkExportMemoryAllocateInfo.calloc(stack).sType$Default().handleTypes(type.bit()));
    }

    @Override
    public boolean dedicated() {
      return type.sharing(device.facts()).dedicated();
    }

    @Override
    public int required() {
      return 0;
    }

    @Override
    public int wished() {
      return MemoryTypes.DEVICE;
    }
  }

  record Imported(LogicalDevice device, HandleType type, int fd) implements BufferKind {
    @Override
    public int externalType() {
      return type.bit();
    }

    @Override
    public void extend(VkMemoryAllocateInfo info, MemoryStack stack) {
      info.pNext(
          VkImportMemoryFdInfoKHR.calloc(stack).sType$Default().handleType(type.bit()).fd(fd));
    }

    @Override
    public int allowedTypes(MemoryStack stack) {
      if (type == HandleType.OPAQUE_FD) {
        return -1;
      }
      VkMemoryFdPropertiesKHR answer = VkMemoryFdPropertiesKHR.calloc(stack).sType$Default();
      device.mayFail("vkGetMemoryFdPropertiesKHR");
      check(
          vkGetMemoryFdPropertiesKHR(device.handle(), type.bit(), fd, answer),
          "vkGetMemoryFdPropertiesKHR",
          device.name());
      return answer.memoryTypeBits();
    }

    @Override
    public boolean dedicated() {
      return type.sharing(device.facts()).dedicated();
    }

    @Override
    public int required() {
      return 0;
    }

    @Override
    public int wished() {
      return MemoryTypes.DEVICE;
    }
  }

  record Host(LogicalDevice device, HostBlock block) implements BufferKind {
    @Override
    public int externalType() {
      return VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    }

    @Override
    public void extend(VkMemoryAllocateInfo info, MemoryStack stack) {
      info.pNext(
          VkImportMemoryHostPointerInfoEXT.calloc(stack)
              .sType$Default()
              .handleType(VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT)
              .pHostPointer(block.address()));
    }

    @Override
    public int allowedTypes(MemoryStack stack) {
      VkMemoryHostPointerPropertiesEXT answer =
          VkMemoryHostPointerPropertiesEXT.calloc(stack).sType$Default();
      device.mayFail("vkGetMemoryHostPointerPropertiesEXT");
      check(
          vkGetMemoryHostPointerPropertiesEXT(
              device.handle(),
              VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
              block.address(),
              answer),
          "vkGetMemoryHostPointerPropertiesEXT",
          device.name());
      return answer.memoryTypeBits();
    }

    @Override
    public int required() {
      return 0;
    }

    @Override
    public int wished() {
      return MemoryTypes.HOST | MemoryTypes.CACHED;
    }
  }
}
