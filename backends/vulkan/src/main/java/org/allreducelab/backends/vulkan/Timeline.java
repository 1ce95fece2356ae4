package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.vkGetSemaphoreFdKHR;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.vkImportSemaphoreFdKHR;
import static org.lwjgl.vulkan.VK10.*;
import static org.lwjgl.vulkan.VK11.VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
import static org.lwjgl.vulkan.VK12.VK_SEMAPHORE_TYPE_TIMELINE;
import static org.lwjgl.vulkan.VK12.vkGetSemaphoreCounterValue;
import static org.lwjgl.vulkan.VK12.vkSignalSemaphore;
import static org.lwjgl.vulkan.VK12.vkWaitSemaphores;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.allreducelab.backends.LiveObjects;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkExportSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkImportSemaphoreFdInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreGetFdInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;

/**
 * A timeline semaphore that starts at 0. Waiting, reading and signalling allocate nothing.
 *
 * <p>One thread at a time may wait, one may read, one may signal: each has structures of its own.
 */
final class Timeline implements AutoCloseable {
  private static final String KIND = "vulkan semaphore";

  private final LogicalDevice device;
  private final long handle;
  private final LongBuffer cell = MemoryUtil.memCallocLong(3);
  private final LongBuffer counter = MemoryUtil.memCallocLong(1);
  private final VkSemaphoreWaitInfo waitInfo;
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
      check(
          vkCreateSemaphore(device.handle(), info, null, made),
          "vkCreateSemaphore",
          device.name());
      handle = made.get(0);
    }
    cell.put(0, handle);
    waitInfo =
        VkSemaphoreWaitInfo.calloc()
            .sType$Default()
            .semaphoreCount(1)
            .pSemaphores(cell.slice(0, 1))
            .pValues(cell.slice(1, 1));
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
    try (MemoryStack stack = MemoryStack.stackPush()) {
      check(
          vkImportSemaphoreFdKHR(
              device.handle(),
              VkImportSemaphoreFdInfoKHR.calloc(stack)
                  .sType$Default()
                  .semaphore(made.handle)
                  .handleType(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT)
                  .fd(from.descriptor())),
          "vkImportSemaphoreFdKHR",
          device.name());
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private int descriptor() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer fd = stack.mallocInt(1);
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

  /** Its present value. */
  long value() {
    check(
        vkGetSemaphoreCounterValue(device.handle(), handle, counter),
        "vkGetSemaphoreCounterValue",
        device.name());
    return counter.get(0);
  }

  /** Waits until it has reached a value; false if the time passed before. */
  boolean await(long value, long timeoutNs) {
    cell.put(1, value);
    int code = vkWaitSemaphores(device.handle(), waitInfo, timeoutNs);
    return check(code, "vkWaitSemaphores", device.name()) == VK_SUCCESS;
  }

  /** Signals from the host. */
  void signal(long value) {
    signalInfo.value(value);
    check(vkSignalSemaphore(device.handle(), signalInfo), "vkSignalSemaphore", device.name());
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      vkDestroySemaphore(device.handle(), handle, null);
      waitInfo.free();
      signalInfo.free();
      MemoryUtil.memFree(cell);
      MemoryUtil.memFree(counter);
      LiveObjects.closed(KIND);
    }
  }
}
