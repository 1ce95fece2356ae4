package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.EXTExternalMemoryDmaBuf.VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME;
import static org.lwjgl.vulkan.EXTExternalMemoryHost.VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
import static org.lwjgl.vulkan.EXTQueueFamilyForeign.VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME;
import static org.lwjgl.vulkan.KHRExternalMemoryFd.VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
import static org.lwjgl.vulkan.VK10.*;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.CacheFolder;
import org.allreducelab.backends.DriverException;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkQueue;

/** A logical device with its queues, all of one family. */
final class LogicalDevice implements AutoCloseable {
  private static final List<String> WANTED =
      List.of(
          VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
          VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
          VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME,
          VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
          VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);

  private final PhysicalDevice physical;
  private final QueueFamily family;
  private final String name;
  private final VkDevice handle;
  private final List<VkQueue> queues = new ArrayList<>();
  private final Map<KernelTraits, FoldPipelines> pipelines = new HashMap<>();
  private final PipelineCache cache;
  private @Nullable CallFaults faults;
  private boolean closed;

  /**
   * @param family the family of its queues
   * @param queueCount how many, at most the family's
   * @throws DriverException if the driver refuses
   */
  LogicalDevice(PhysicalDevice physical, QueueFamily family, int queueCount) {
    this.physical = physical;
    this.family = family;
    name = physical.id() + " (" + physical.facts().name() + ")";
    try (MemoryStack stack = MemoryStack.stackPush()) {
      List<String> extensions =
          WANTED.stream().filter(physical.facts().extensions()::contains).toList();
      PointerBuffer names = stack.mallocPointer(extensions.size());
      extensions.forEach(name -> names.put(stack.UTF8(name)));
      names.flip();
      float[] priorities = new float[queueCount];
      java.util.Arrays.fill(priorities, 1.0f);
      VkDeviceQueueCreateInfo.Buffer queueInfo =
          VkDeviceQueueCreateInfo.calloc(1, stack)
              .sType$Default()
              .queueFamilyIndex(family.index())
              .pQueuePriorities(stack.floats(priorities));
      VkDeviceCreateInfo info =
          VkDeviceCreateInfo.calloc(stack)
              .sType$Default()
              .pNext(
                  VkPhysicalDeviceVulkan12Features.calloc(stack)
                      .sType$Default()
                      .timelineSemaphore(true)
                      .bufferDeviceAddress(true)
                      .hostQueryReset(physical.facts().hostQueryReset()))
              .pEnabledFeatures(
                  VkPhysicalDeviceFeatures.calloc(stack).shaderInt64(physical.facts().int64()))
              .pQueueCreateInfos(queueInfo)
              .ppEnabledExtensionNames(names);
      PointerBuffer made = stack.mallocPointer(1);
      check(vkCreateDevice(physical.handle(), info, null, made), "vkCreateDevice", name());
      handle = new VkDevice(made.get(0), physical.handle(), info);
      for (int i = 0; i < queueCount; i++) {
        vkGetDeviceQueue(handle, family.index(), i, made);
        queues.add(new VkQueue(made.get(0), handle));
      }
    }
    cache =
        new PipelineCache(
            handle, name, physical.facts().pipelines(), CacheFolder.ofUser("pipelines"));
  }

  /** What pipelines of this device are made through. */
  PipelineCache pipelineCache() {
    return cache;
  }

  /**
   * Waits until the driver has let go of all that was submitted. To be called when the work is
   * known to be done, before anything it used is destroyed: Mesa's queue thread (22.3) still holds
   * the timeline of a submission for a moment after its signal has been seen, and crashes over a
   * destroyed one.
   */
  void drain() {
    check(vkDeviceWaitIdle(handle), "vkDeviceWaitIdle", name);
  }

  /** Has some of its calls fail, as a test asks; null for none. */
  void inject(@Nullable CallFaults injected) {
    faults = injected;
  }

  /**
   * Stands before a call that a test may have fail.
   *
   * @throws DriverException if it is to fail
   */
  void mayFail(String call) {
    CallFaults injected = faults;
    if (injected != null) {
      check(injected.code(call, this), call, name);
    }
  }

  /** As {@link #mayFail}, for what is no Vulkan call. */
  boolean refuses(String call) {
    CallFaults injected = faults;
    return injected != null && injected.code(call, this) != VK_SUCCESS;
  }

  VkDevice handle() {
    return handle;
  }

  VkQueue queue(int index) {
    return queues.get(index);
  }

  int queueCount() {
    return queues.size();
  }

  /** The fold kernels of that kind; they live as long as the device. */
  FoldPipelines pipelines(KernelTraits traits, GlslCompiler compiler) {
    return pipelines.computeIfAbsent(traits, t -> new FoldPipelines(this, t, compiler));
  }

  /** Whether memory that a different device wrote can be acquired from it. */
  boolean acquiresForeign() {
    return physical.facts().extensions().contains(VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
  }

  /** Whether another logical device is one of a different physical device. */
  boolean isApartFrom(LogicalDevice other) {
    return !physical.equals(other.physical);
  }

  QueueFamily family() {
    return family;
  }

  PhysicalDevice physical() {
    return physical;
  }

  DeviceFacts facts() {
    return physical.facts();
  }

  /** For messages. */
  String name() {
    return name;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      pipelines.values().forEach(FoldPipelines::close);
      cache.close();
      vkDestroyDevice(handle, null);
    }
  }
}
