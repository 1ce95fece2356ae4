package org.allreducelab.backends.vulkan;

/**
 * Choices that are Vulkan's alone, set by system properties.
 *
 * @param queueFamily {@code allreducelab.vulkan.queueFamily}: the queue family to use, -1 to choose
 * @param memory {@code allreducelab.vulkan.memory}: {@code opaque-fd}, {@code dma-buf}, or an empty
 *     string to choose
 * @param validation {@code allreducelab.vulkan.validation}: whether the Khronos validation layer
 *     runs, with synchronisation validation
 * @param tellEnd {@code allreducelab.vulkan.tellEnd}: whether to tell on standard error which
 *     thread destroyed the instance, once that is done
 */
record VulkanSettings(int queueFamily, String memory, boolean validation, boolean tellEnd) {
  static final String QUEUE_FAMILY = "allreducelab.vulkan.queueFamily";
  static final String MEMORY = "allreducelab.vulkan.memory";
  static final String VALIDATION = "allreducelab.vulkan.validation";
  static final String TELL_END = "allreducelab.vulkan.tellEnd";

  /** Nothing set. */
  static final VulkanSettings DEFAULT = new VulkanSettings(-1, "", false, false);

  VulkanSettings {
    if (!memory.isEmpty() && !memory.equals("opaque-fd") && !memory.equals("dma-buf")) {
      throw new IllegalArgumentException(
          MEMORY + " must be opaque-fd or dma-buf, not '" + memory + "'");
    }
  }

  static VulkanSettings present() {
    return new VulkanSettings(
        Integer.getInteger(QUEUE_FAMILY, -1),
        System.getProperty(MEMORY, ""),
        Boolean.getBoolean(VALIDATION),
        Boolean.getBoolean(TELL_END));
  }
}
