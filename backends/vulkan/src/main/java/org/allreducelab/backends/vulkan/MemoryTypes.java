package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;

import java.util.List;

/**
 * The memory types of a device, as VkMemoryPropertyFlags by index.
 *
 * @param flags per type
 */
record MemoryTypes(List<Integer> flags) {
  static final int DEVICE = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  static final int HOST =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  static final int CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

  MemoryTypes {
    flags = List.copyOf(flags);
  }

  /**
   * The first allowed type with the required flags and as many of the wished ones as possible, or
   * -1.
   *
   * @param allowed bit i: type i may be used
   */
  int choose(int allowed, int required, int wished) {
    int best = -1;
    int bestScore = -1;
    for (int i = 0; i < flags.size(); i++) {
      int has = flags.get(i);
      boolean usable = (allowed >>> i & 1) != 0 && (has & required) == required;
      int score = Integer.bitCount(has & wished);
      if (usable && score > bestScore) {
        best = i;
        bestScore = score;
      }
    }
    return best;
  }
}
