package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.vkGetSemaphoreFdKHR;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.vkImportSemaphoreFdKHR;
import static org.lwjgl.vulkan.VK10.*;
import static org.lwjgl.vulkan.VK11.VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
import static org.lwjgl.vulkan.VK12.VK_SEMAPHORE_TYPE_TIMELINE;
import static org.lwjgl.vulkan.VK12.vkSignalSemaphore;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.UNISTD;
import org.lwjgl.vulkan.VkExportSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkImportSemaphoreFdInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreGetFdInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;

/**
 * A timeline semaphore that starts at 0. A {@link Watch} waits for it. Signalling allocates
 * nothing; one thread at a time.
 */
final class Timeline implements AutoCloseable {
  private static final String KIND = "vulkan semaphore";

  private final LogicalDevice device;
  private final long handle;
  private final VkSemaphoreSignalInfo signalInfo;
  private boolean closed;

  private Timeline(LogicalDevice device, boolean exported) {
    this.device = device;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkSemaphoreCreateInfo info =
          VkSemaphoreCreateInfo.calloc(stack)
              .sType$Default()
              .pNext(
                  VkSemaphoreTypeCreateInfo.calloc(stack)
                      .sType$Default()
                      .semaphoreType(VK_SEMAPHORE_TYPE_TIMELINE));
      if (exported) {
        info.pNext(
            VkExportSemaphoreCreateInfo.calloc(stack)
                .sType$Default()
                .handleTypes(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT));
      }
      LongBuffer made = stack.mallocLong(1);
      device.mayFail("vkCreateSemaphore");
      check(
          vkCreateSemaphore(device.handle(), info, null, made), "vkCreateSemaphore", device.name());
      handle = made.get(0);
    }
    signalInfo = VkSemaphoreSignalInfo.calloc().sType$Default().semaphore(handle);
    LiveObjects.opened(KIND);
  }

  /** One that stays on its device. */
  static Timeline plain(LogicalDevice device) {
    return new Timeline(device, false);
  }

  /** One that can be imported. Only for devices that advertise it: others may crash. */
  static Timeline exported(LogicalDevice device) {
    return new Timeline(device, true);
  }

  /** Another device's timeline, seen from {@code device}. */
  static Timeline imported(LogicalDevice device, Timeline from) {
    Timeline made = new Timeline(device, false);
    int fd;
    try {
      fd = from.descriptor();
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
    try (MemoryStack stack = MemoryStack.stackPush()) {
      device.mayFail("vkImportSemaphoreFdKHR");
      check(
          vkImportSemaphoreFdKHR(
              device.handle(),
              VkImportSemaphoreFdInfoKHR.calloc(stack)
                  .sType$Default()
                  .semaphore(made.handle)
                  .handleType(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
                  .fd(fd)),
          "vkImportSemaphoreFdKHR",
          device.name());
      return made;
    } catch (RuntimeException e) {
      // Only a successful import hands the descriptor over to the driver.
      UNISTD.close(null, fd);
      made.close();
      throw e;
    }
  }

  private int descriptor() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer fd = stack.mallocInt(1);
      device.mayFail("vkGetSemaphoreFdKHR");
      check(
          vkGetSemaphoreFdKHR(
              device.handle(),
              VkSemaphoreGetFdInfoKHR.calloc(stack)
                  .sType$Default()
                  .semaphore(handle)
                  .handleType(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT),
              fd),
          "vkGetSemaphoreFdKHR",
          device.name());
      return fd.get(0);
    }
  }

  /** Vulkan's handle. */
  long handle() {
    return handle;
  }

  LogicalDevice device() {
    return device;
  }

  /** Its present value; allocates. */
  long value() {
    try (Watch watch = new Watch(this)) {
      return watch.value(0);
    }
  }

  /** Signals from the host. */
  void signal(long value) {
    signalInfo.value(value);
    device.mayFail("vkSignalSemaphore");
    check(vkSignalSemaphore(device.handle(), signalInfo), "vkSignalSemaphore", device.name());
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      vkDestroySemaphore(device.handle(), handle, null);
      signalInfo.free();
      LiveObjects.closed(KIND);
    }
  }
}
