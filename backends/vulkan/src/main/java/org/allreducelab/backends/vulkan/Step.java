package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.lowering.PeerWait;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * One VkSubmitInfo of a recording.
 *
 * @param rank the rank whose work it is; of several ranks' the first
 * @param value the number of the rank's submission, counted from 1
 * @param lane what it signals
 * @param ordinal the lane's progress when it is done, relative to the invocation's start
 * @param commands the work, or null for a signal alone
 * @param waits what it waits for
 */
record Step(
    int rank,
    int value,
    int lane,
    int ordinal,
    @Nullable VkCommandBuffer commands,
    List<SemaphoreWait> waits) {

  /**
   * A wait with what shows the peer's progress on this rank's device.
   *
   * @param need what for
   * @param semaphore the timeline to wait on
   */
  record SemaphoreWait(PeerWait need, long semaphore) {}

  Step {
    waits = List.copyOf(waits);
  }
}
