package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.EXTExternalMemoryDmaBuf.*;
import static org.lwjgl.vulkan.EXTExternalMemoryHost.*;
import static org.lwjgl.vulkan.EXTPciBusInfo.VK_EXT_PCI_BUS_INFO_EXTENSION_NAME;
import static org.lwjgl.vulkan.KHRExternalMemoryFd.VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
import static org.lwjgl.vulkan.VK10.*;
import static org.lwjgl.vulkan.VK11.*;
import static org.lwjgl.vulkan.VK12.VK_SEMAPHORE_TYPE_TIMELINE;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkExternalBufferProperties;
import org.lwjgl.vulkan.VkExternalSemaphoreProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceBufferDeviceAddressFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceDriverProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalBufferInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalMemoryHostPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceExternalSemaphoreInfo;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceFloatControlsProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceHostQueryResetFeatures;
import org.lwjgl.vulkan.VkPhysicalDeviceIDProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance3Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDevicePCIBusInfoPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceTimelineSemaphoreFeatures;
import org.lwjgl.vulkan.VkQueueFamilyProperties;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;

/**
 * Asks a physical device for its {@link DeviceFacts}. An export that is not advertised here is
 * never asked for later: some drivers crash the process over it, others hand out a handle that is
 * not what it says.
 */
final class DeviceQuery {
  private static final int BUFFER_USAGE =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
          | VK_BUFFER_USAGE_TRANSFER_SRC_BIT
          | VK_BUFFER_USAGE_TRANSFER_DST_BIT
          | org.lwjgl.vulkan.VK12.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

  private final VkPhysicalDevice device;
  private final MemoryStack stack;
  private final Set<String> extensions;

  private DeviceQuery(VkPhysicalDevice device, MemoryStack stack) {
    this.device = device;
    this.stack = stack;
    this.extensions = extensions(device);
  }

  static DeviceFacts ask(VkPhysicalDevice device) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return new DeviceQuery(device, stack).facts();
    }
  }

  private DeviceFacts facts() {
    VkPhysicalDeviceIDProperties ids = VkPhysicalDeviceIDProperties.calloc(stack).sType$Default();
    VkPhysicalDeviceDriverProperties driver =
        VkPhysicalDeviceDriverProperties.calloc(stack).sType$Default();
    VkPhysicalDeviceFloatControlsProperties floats =
        VkPhysicalDeviceFloatControlsProperties.calloc(stack).sType$Default();
    VkPhysicalDeviceMaintenance3Properties sizes =
        VkPhysicalDeviceMaintenance3Properties.calloc(stack).sType$Default();
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host =
        VkPhysicalDeviceExternalMemoryHostPropertiesEXT.calloc(stack).sType$Default();
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci =
        VkPhysicalDevicePCIBusInfoPropertiesEXT.calloc(stack).sType$Default();
    VkPhysicalDeviceProperties2 properties =
        VkPhysicalDeviceProperties2.calloc(stack)
            .sType$Default()
            .pNext(ids)
            .pNext(driver)
            .pNext(floats)
            .pNext(sizes);
    boolean importsHost = extensions.contains(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
    boolean hasPci = extensions.contains(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME);
    if (importsHost) {
      properties.pNext(host);
    }
    if (hasPci) {
      properties.pNext(pci);
    }
    vkGetPhysicalDeviceProperties2(device, properties);

    VkPhysicalDeviceTimelineSemaphoreFeatures timeline =
        VkPhysicalDeviceTimelineSemaphoreFeatures.calloc(stack).sType$Default();
    VkPhysicalDeviceBufferDeviceAddressFeatures address =
        VkPhysicalDeviceBufferDeviceAddressFeatures.calloc(stack).sType$Default();
    VkPhysicalDeviceHostQueryResetFeatures queryReset =
        VkPhysicalDeviceHostQueryResetFeatures.calloc(stack).sType$Default();
    VkPhysicalDeviceFeatures2 features =
        VkPhysicalDeviceFeatures2.calloc(stack)
            .sType$Default()
            .pNext(timeline)
            .pNext(address)
            .pNext(queryReset);
    vkGetPhysicalDeviceFeatures2(device, features);

    VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.calloc(stack);
    vkGetPhysicalDeviceMemoryProperties(device, memory);
    VkPhysicalDeviceLimits limits = properties.properties().limits();
    return new DeviceFacts(
        properties.properties().deviceNameString(),
        properties.properties().deviceType(),
        driver.driverNameString(),
        driver.driverInfoString(),
        properties.properties().apiVersion(),
        hex(ids.deviceUUID()),
        hex(ids.driverUUID()),
        new PipelineFile(
            properties.properties().vendorID(),
            properties.properties().deviceID(),
            properties.properties().driverVersion(),
            hex(properties.properties().pipelineCacheUUID())),
        hasPci ? pciAddress(pci) : "",
        extensions,
        timeline.timelineSemaphore(),
        address.bufferDeviceAddress(),
        queryReset.hostQueryReset(),
        features.features().shaderInt64(),
        floats.shaderDenormPreserveFloat32(),
        floats.shaderRoundingModeRTEFloat32(),
        floats.shaderSignedZeroInfNanPreserveFloat32(),
        timeline.timelineSemaphore()
            ? timelineSharing()
            : Sharing.impossible("the timelineSemaphore feature is missing"),
        memorySharing(
            VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME),
        memorySharing(
            VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT,
            VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME),
        hostSharing(importsHost),
        importsHost ? host.minImportedHostPointerAlignment() : 0,
        Math.min(limits.maxComputeWorkGroupInvocations(), limits.maxComputeWorkGroupSize(0)),
        Math.min(
            Integer.MAX_VALUE & limits.maxComputeWorkGroupCount(0),
            Integer.MAX_VALUE & limits.maxComputeWorkGroupCount(1)),
        Integer.toUnsignedLong(limits.maxStorageBufferRange()),
        sizes.maxMemoryAllocationSize(),
        limits.timestampPeriod(),
        heaps(memory),
        memoryTypes(memory),
        queueFamilies());
  }

  private Set<String> extensions(VkPhysicalDevice device) {
    IntBuffer count = stack.mallocInt(1);
    vkEnumerateDeviceExtensionProperties(device, (ByteBuffer) null, count, null);
    Set<String> names = new HashSet<>();
    try (VkExtensionProperties.Buffer found = VkExtensionProperties.malloc(count.get(0))) {
      vkEnumerateDeviceExtensionProperties(device, (ByteBuffer) null, count, found);
      found.forEach(e -> names.add(e.extensionNameString()));
    }
    return names;
  }

  private Sharing timelineSharing() {
    if (!extensions.contains(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME)) {
      return Sharing.impossible(VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME + " is missing");
    }
    VkSemaphoreTypeCreateInfo type =
        VkSemaphoreTypeCreateInfo.calloc(stack)
            .sType$Default()
            .semaphoreType(VK_SEMAPHORE_TYPE_TIMELINE);
    VkExternalSemaphoreProperties answer =
        VkExternalSemaphoreProperties.calloc(stack).sType$Default();
    vkGetPhysicalDeviceExternalSemaphoreProperties(
        device,
        VkPhysicalDeviceExternalSemaphoreInfo.calloc(stack)
            .sType$Default()
            .pNext(type)
            .handleType(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT),
        answer);
    int features = answer.externalSemaphoreFeatures();
    boolean exports = (features & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) != 0;
    boolean imports = (features & VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT) != 0;
    return new Sharing(
        exports,
        imports,
        false,
        exports || imports
            ? "vkGetPhysicalDeviceExternalSemaphoreProperties, OPAQUE_FD timelines"
            : "the driver says OPAQUE_FD timelines are neither exportable nor importable");
  }

  private Sharing memorySharing(int handleType, String extension) {
    if (!extensions.contains(extension)) {
      return Sharing.impossible(extension + " is missing");
    }
    int features = bufferFeatures(handleType);
    boolean exports = (features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT) != 0;
    boolean imports = (features & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT) != 0;
    return new Sharing(
        exports,
        imports,
        (features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0,
        exports || imports
            ? "vkGetPhysicalDeviceExternalBufferProperties"
            : "the driver says such buffers are neither exportable nor importable");
  }

  /**
   * The extension itself promises that host pointers can be imported; the buffer query is only
   * noted, since a driver that imports well was seen to deny it.
   */
  private Sharing hostSharing(boolean extension) {
    if (!extension) {
      return Sharing.impossible(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME + " is missing");
    }
    int features = bufferFeatures(VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT);
    boolean admitted = (features & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT) != 0;
    return new Sharing(
        false,
        true,
        false,
        VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME
            + (admitted ? "" : "; the buffer query does not confirm it"));
  }

  private int bufferFeatures(int handleType) {
    VkExternalBufferProperties answer = VkExternalBufferProperties.calloc(stack).sType$Default();
    vkGetPhysicalDeviceExternalBufferProperties(
        device,
        VkPhysicalDeviceExternalBufferInfo.calloc(stack)
            .sType$Default()
            .usage(BUFFER_USAGE)
            .handleType(handleType),
        answer);
    return answer.externalMemoryProperties().externalMemoryFeatures();
  }

  private List<QueueFamily> queueFamilies() {
    IntBuffer count = stack.mallocInt(1);
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, null);
    VkQueueFamilyProperties.Buffer found = VkQueueFamilyProperties.calloc(count.get(0), stack);
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, found);
    List<QueueFamily> families = new ArrayList<>();
    for (int i = 0; i < found.capacity(); i++) {
      VkQueueFamilyProperties p = found.get(i);
      families.add(new QueueFamily(i, p.queueFlags(), p.queueCount(), p.timestampValidBits()));
    }
    return families;
  }

  private static MemoryTypes memoryTypes(VkPhysicalDeviceMemoryProperties memory) {
    List<Integer> flags = new ArrayList<>();
    for (int i = 0; i < memory.memoryTypeCount(); i++) {
      flags.add(memory.memoryTypes(i).propertyFlags());
    }
    return new MemoryTypes(flags);
  }

  private static List<String> heaps(VkPhysicalDeviceMemoryProperties memory) {
    List<String> heaps = new ArrayList<>();
    for (int i = 0; i < memory.memoryHeapCount(); i++) {
      boolean local = (memory.memoryHeaps(i).flags() & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
      heaps.add(memory.memoryHeaps(i).size() / (1 << 20) + " MiB" + (local ? " device" : " host"));
    }
    return heaps;
  }

  private static String pciAddress(VkPhysicalDevicePCIBusInfoPropertiesEXT pci) {
    return "%04x:%02x:%02x.%x"
        .formatted(pci.pciDomain(), pci.pciBus(), pci.pciDevice(), pci.pciFunction());
  }

  private static String hex(ByteBuffer uuid) {
    byte[] bytes = new byte[uuid.remaining()];
    uuid.get(uuid.position(), bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
