package org.allreducelab.backends.vulkan;

/**
 * What is set by system properties, for work on this backend.
 *
 * @param validation {@code allreducelab.vulkan.validation}: whether the Khronos validation layer
 *     runs, with synchronisation validation
 */
record VulkanSettings(boolean validation) {
  static final String VALIDATION = "allreducelab.vulkan.validation";

  static VulkanSettings present() {
    return new VulkanSettings(Boolean.getBoolean(VALIDATION));
  }
}
