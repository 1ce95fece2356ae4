package org.allreducelab.backends.vulkan;

import java.util.List;
import java.util.Set;

/**
 * What is known of a physical device: all of it asked, none of it assumed.
 *
 * @param name the device's name
 * @param type VkPhysicalDeviceType
 * @param driver driver name
 * @param driverInfo the driver's own words on its version
 * @param apiVersion Vulkan version the device offers, packed
 * @param deviceUuid 32 hex digits
 * @param driverUuid 32 hex digits
 * @param pipelines where its compiled kernels are kept
 * @param pciAddress PCI address, or an empty string
 * @param extensions device extensions
 * @param timelineSemaphore the feature
 * @param bufferDeviceAddress the feature
 * @param hostQueryReset the feature
 * @param int64 the shaderInt64 feature
 * @param denormPreserve32 shaderDenormPreserveFloat32
 * @param roundingRte32 shaderRoundingModeRTEFloat32
 * @param signedZeroInfNan32 shaderSignedZeroInfNanPreserveFloat32
 * @param timeline OPAQUE_FD timeline semaphores
 * @param opaqueFdMemory OPAQUE_FD memory for storage buffers
 * @param dmaBufMemory dma-buf memory for storage buffers
 * @param hostMemory host memory imported as storage buffers
 * @param hostAlignment minImportedHostPointerAlignment in bytes, 0 for none
 * @param maxWorkGroupSize invocations of a work group
 * @param maxWorkGroups work groups in x and in y
 * @param maxStorageBufferRange in bytes; kernels use addresses, so it does not bind them
 * @param maxAllocationBytes maxMemoryAllocationSize
 * @param timestampPeriodNs nanoseconds of a timestamp tick
 * @param heaps size and flags of each heap, for people
 * @param memoryTypes the memory types
 * @param queueFamilies the queue families
 */
record DeviceFacts(
    String name,
    int type,
    String driver,
    String driverInfo,
    int apiVersion,
    String deviceUuid,
    String driverUuid,
    PipelineFile pipelines,
    String pciAddress,
    Set<String> extensions,
    boolean timelineSemaphore,
    boolean bufferDeviceAddress,
    boolean hostQueryReset,
    boolean int64,
    boolean denormPreserve32,
    boolean roundingRte32,
    boolean signedZeroInfNan32,
    Sharing timeline,
    Sharing opaqueFdMemory,
    Sharing dmaBufMemory,
    Sharing hostMemory,
    long hostAlignment,
    int maxWorkGroupSize,
    int maxWorkGroups,
    long maxStorageBufferRange,
    long maxAllocationBytes,
    float timestampPeriodNs,
    List<String> heaps,
    MemoryTypes memoryTypes,
    List<QueueFamily> queueFamilies) {

  /** On a software driver each work group costs, and cores are few. */
  private static final int CPU_WORK_GROUPS = 16;

  DeviceFacts {
    extensions = Set.copyOf(extensions);
    heaps = List.copyOf(heaps);
    queueFamilies = List.copyOf(queueFamilies);
  }

  /** Whether the device's ranks share the host's cores: a software driver. */
  boolean isCpu() {
    return type == org.lwjgl.vulkan.VK10.VK_PHYSICAL_DEVICE_TYPE_CPU;
  }

  /** Work groups in x of a fold kernel beyond which invocations loop. */
  int foldWorkGroups() {
    return isCpu() ? CPU_WORK_GROUPS : maxWorkGroups;
  }

  /** Why no group can run on this device, or an empty string. */
  String obstacle() {
    if (!timelineSemaphore) {
      return "the timelineSemaphore feature is missing";
    }
    if (!bufferDeviceAddress) {
      return "the bufferDeviceAddress feature is missing";
    }
    if (queueFamilies.stream().noneMatch(QueueFamily::computes)) {
      return "no queue family computes";
    }
    return "";
  }

  /** For people: {@code 1.3.230}. */
  String apiVersionText() {
    return org.lwjgl.vulkan.VK10.VK_VERSION_MAJOR(apiVersion)
        + "."
        + org.lwjgl.vulkan.VK10.VK_VERSION_MINOR(apiVersion)
        + "."
        + org.lwjgl.vulkan.VK10.VK_VERSION_PATCH(apiVersion);
  }
}
