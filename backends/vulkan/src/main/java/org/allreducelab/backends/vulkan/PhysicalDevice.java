package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_PHYSICAL_DEVICE_TYPE_CPU;
import static org.lwjgl.vulkan.VK10.VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
import static org.lwjgl.vulkan.VK10.VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
import static org.lwjgl.vulkan.VK10.VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU;

import java.util.Comparator;
import java.util.Locale;
import org.lwjgl.vulkan.VkPhysicalDevice;

/**
 * A physical device of the instance.
 *
 * @param id the endpoint id, {@code vulkan:0}
 * @param handle Vulkan's handle
 * @param facts what is known of it
 */
record PhysicalDevice(String id, VkPhysicalDevice handle, DeviceFacts facts) {

  /** The order that makes ids stable, whatever order the loader lists drivers in. */
  static final Comparator<DeviceFacts> ORDER =
      Comparator.comparingInt((DeviceFacts f) -> typeOrder(f.type()))
          .thenComparing(f -> f.driver().toLowerCase(Locale.ROOT))
          .thenComparing(DeviceFacts::deviceUuid);

  private static int typeOrder(int type) {
    return switch (type) {
      case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU -> 0;
      case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU -> 1;
      case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU -> 2;
      case VK_PHYSICAL_DEVICE_TYPE_CPU -> 3;
      default -> 4;
    };
  }
}
