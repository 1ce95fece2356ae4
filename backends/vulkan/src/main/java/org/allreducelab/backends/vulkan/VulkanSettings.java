package org.allreducelab.backends.vulkan;

/**
 * What is set by system properties, for work on this backend.
 *
 * @param validation {@code allreducelab.vulkan.validation}: whether the Khronos validation layer
 *     runs, with synchronisation validation
 * @param tellEnd {@code allreducelab.vulkan.tellEnd}: whether to tell on standard error which
 *     thread destroyed the instance, once that is done
 */
record VulkanSettings(boolean validation, boolean tellEnd) {
  static final String VALIDATION = "allreducelab.vulkan.validation";
  static final String TELL_END = "allreducelab.vulkan.tellEnd";

  static VulkanSettings present() {
    return new VulkanSettings(Boolean.getBoolean(VALIDATION), Boolean.getBoolean(TELL_END));
  }
}
