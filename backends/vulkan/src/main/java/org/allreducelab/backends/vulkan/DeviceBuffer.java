package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.KHRExternalMemoryFd.vkGetMemoryFdKHR;
import static org.lwjgl.vulkan.VK10.*;
import static org.lwjgl.vulkan.VK12.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
import static org.lwjgl.vulkan.VK12.VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
import static org.lwjgl.vulkan.VK12.vkGetBufferDeviceAddress;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.UNISTD;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkBufferDeviceAddressInfo;
import org.lwjgl.vulkan.VkExternalMemoryBufferCreateInfo;
import org.lwjgl.vulkan.VkMemoryAllocateFlagsInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryDedicatedAllocateInfo;
import org.lwjgl.vulkan.VkMemoryGetFdInfoKHR;
import org.lwjgl.vulkan.VkMemoryRequirements;

/** A buffer with memory of its own, addressed by kernels through its device address. */
final class DeviceBuffer implements AutoCloseable {
  private static final String KIND = "vulkan buffer";

  /** Sizes are multiples of this, so that 16-byte accesses of the last word stay inside. */
  private static final long GRAIN_BYTES = 256;

  private static final int USAGE =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
          | VK_BUFFER_USAGE_TRANSFER_SRC_BIT
          | VK_BUFFER_USAGE_TRANSFER_DST_BIT
          | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

  private final LogicalDevice device;
  private final long bytes;
  private long buffer;
  private long memory;
  private long address;
  private long mapped;
  private long allocatedBytes;
  private boolean closed;

  private DeviceBuffer(LogicalDevice device, long bytes) {
    this.device = device;
    this.bytes = bytes;
    LiveObjects.opened(KIND);
  }

  /** Memory of the device, for this device alone. */
  static DeviceBuffer local(LogicalDevice device, long bytes) {
    return new DeviceBuffer(device, grains(bytes))
        .made(new BufferKind.Plain(0, MemoryTypes.DEVICE));
  }

  /** Host-visible memory, mapped for its whole life. */
  static DeviceBuffer mapped(LogicalDevice device, long bytes) {
    DeviceBuffer made =
        new DeviceBuffer(device, grains(bytes))
            .made(new BufferKind.Plain(MemoryTypes.HOST, MemoryTypes.CACHED));
    try {
      made.map();
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** Memory of the device that other logical devices can import. */
  static DeviceBuffer exported(LogicalDevice device, long bytes, HandleType type) {
    return new DeviceBuffer(device, grains(bytes)).made(new BufferKind.Exported(device, type));
  }

  /** Another logical device's memory, seen from {@code device}. */
  static DeviceBuffer imported(LogicalDevice device, DeviceBuffer from, HandleType type) {
    int fd = from.descriptor(type);
    try {
      return new DeviceBuffer(device, from.bytes).made(new BufferKind.Imported(device, type, fd));
    } catch (RuntimeException e) {
      // Only a successful import hands the descriptor over to the driver.
      UNISTD.close(null, fd);
      throw e;
    }
  }

  /** Host memory, seen from {@code device}. */
  static DeviceBuffer over(HostBlock block, LogicalDevice device) {
    return new DeviceBuffer(device, block.bytes()).made(new BufferKind.Host(device, block));
  }

  private static long grains(long bytes) {
    return Math.max(GRAIN_BYTES, (bytes + GRAIN_BYTES - 1) & -GRAIN_BYTES);
  }

  private DeviceBuffer made(BufferKind kind) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      create(kind, stack);
      allocate(kind, stack);
      device.mayFail("vkBindBufferMemory");
      check(
          vkBindBufferMemory(device.handle(), buffer, memory, 0),
          "vkBindBufferMemory",
          device.name());
      address =
          vkGetBufferDeviceAddress(
              device.handle(),
              VkBufferDeviceAddressInfo.calloc(stack).sType$Default().buffer(buffer));
      if (address % 16 != 0) {
        throw new BackendException(
            device.name() + " gave a buffer address that is no multiple of 16: " + address);
      }
      return this;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void create(BufferKind kind, MemoryStack stack) {
    VkBufferCreateInfo info =
        VkBufferCreateInfo.calloc(stack)
            .sType$Default()
            .size(bytes)
            .usage(USAGE)
            .sharingMode(VK_SHARING_MODE_EXCLUSIVE);
    if (kind.externalType() != 0) {
      info.pNext(
          VkExternalMemoryBufferCreateInfo.calloc(stack)
              .sType$Default()
              .handleTypes(kind.externalType()));
    }
    LongBuffer made = stack.mallocLong(1);
    device.mayFail("vkCreateBuffer");
    check(vkCreateBuffer(device.handle(), info, null, made), "vkCreateBuffer", device.name());
    buffer = made.get(0);
  }

  private void allocate(BufferKind kind, MemoryStack stack) {
    VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
    vkGetBufferMemoryRequirements(device.handle(), buffer, needs);
    int allowed = needs.memoryTypeBits() & kind.allowedTypes(stack);
    int type = device.facts().memoryTypes().choose(allowed, kind.required(), kind.wished());
    if (type < 0) {
      throw new BackendException(
          device.name() + " has no memory type for such a buffer (allowed " + allowed + ")");
    }
    VkMemoryAllocateInfo info =
        VkMemoryAllocateInfo.calloc(stack)
            .sType$Default()
            .allocationSize(kind instanceof BufferKind.Host ? bytes : needs.size())
            .memoryTypeIndex(type)
            .pNext(
                VkMemoryAllocateFlagsInfo.calloc(stack)
                    .sType$Default()
                    .flags(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT));
    kind.extend(info, stack);
    if (kind.dedicated()) {
      info.pNext(VkMemoryDedicatedAllocateInfo.calloc(stack).sType$Default().buffer(buffer));
    }
    LongBuffer made = stack.mallocLong(1);
    device.mayFail("vkAllocateMemory");
    check(
        vkAllocateMemory(device.handle(), info, null, made),
        "vkAllocateMemory of " + needs.size() + " bytes",
        device.name());
    memory = made.get(0);
    allocatedBytes = info.allocationSize();
  }

  private void map() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer at = stack.mallocPointer(1);
      device.mayFail("vkMapMemory");
      check(
          vkMapMemory(device.handle(), memory, 0, VK_WHOLE_SIZE, 0, at),
          "vkMapMemory",
          device.name());
      mapped = at.get(0);
    }
  }

  /** A new descriptor of its memory; the caller's to close, or a driver's that imports it. */
  int descriptor(HandleType type) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer fd = stack.mallocInt(1);
      device.mayFail("vkGetMemoryFdKHR");
      check(
          vkGetMemoryFdKHR(
              device.handle(),
              VkMemoryGetFdInfoKHR.calloc(stack)
                  .sType$Default()
                  .memory(memory)
                  .handleType(type.bit()),
              fd),
          "vkGetMemoryFdKHR",
          device.name());
      return fd.get(0);
    }
  }

  /** Vulkan's handle. */
  long handle() {
    return buffer;
  }

  /** Its address in kernels; a multiple of 16. */
  long address() {
    return address;
  }

  /** Its size in bytes, at least what was asked for. */
  long bytes() {
    return bytes;
  }

  /** The size of its memory, which may be larger. */
  long allocatedBytes() {
    return allocatedBytes;
  }

  /** Where it is mapped, or 0. */
  long mapped() {
    return mapped;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    vkDestroyBuffer(device.handle(), buffer, null);
    vkFreeMemory(device.handle(), memory, null);
    LiveObjects.closed(KIND);
  }
}
