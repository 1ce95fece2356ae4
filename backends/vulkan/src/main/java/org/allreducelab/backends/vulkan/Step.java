package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.lowering.StreamStep.RankNeed;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * One VkSubmitInfo of a recording.
 *
 * @param rank the rank whose work it is; of several ranks' the first
 * @param value the number of that rank's first submission in it, counted from 1
 * @param signals what it signals
 * @param commands the work, or null for signals alone
 * @param waits what it waits for
 */
record Step(
    int rank,
    int value,
    List<Signal> signals,
    @Nullable VkCommandBuffer commands,
    List<SemaphoreWait> waits) {

  /**
   * The progress of a lane.
   *
   * @param lane which
   * @param ordinal its progress when the step is done, relative to the invocation's start
   */
  record Signal(int lane, int ordinal) {}

  /**
   * A wait with what shows the peer's progress on this step's device.
   *
   * @param peer whose progress
   * @param semaphore the timeline to wait on
   * @param needs what for, per rank of the step that needs something
   */
  record SemaphoreWait(int peer, long semaphore, List<RankNeed> needs) {
    SemaphoreWait {
      needs = List.copyOf(needs);
    }
  }

  Step {
    signals = List.copyOf(signals);
    waits = List.copyOf(waits);
  }
}
