package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;

/**
 * The memory types of a device, as VkMemoryPropertyFlags by index.
 *
 * @param flags per type
 */
record MemoryTypes(int... flags) {
  static final int DEVICE = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  static final int HOST =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  static final int CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

  /**
   * The first allowed type with the required flags and as many of the wished ones as possible, or
   * -1.
   *
   * @param allowed bit i: type i may be used
   */
  int choose(int allowed, int required, int wished) {
    int best = -1;
    int bestScore = -1;
    for (int i = 0; i < flags.length; i++) {
      boolean usable = (allowed >>> i & 1) != 0 && (flags[i] & required) == required;
      int score = Integer.bitCount(flags[i] & wished);
      if (usable && score > bestScore) {
        best = i;
        bestScore = score;
      }
    }
    return best;
  }
}
