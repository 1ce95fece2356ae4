package org.allreducelab.backends.vulkan;

import java.util.List;
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
    List<PeerWait> waits) {

  /**
   * A wait for a peer's progress.
   *
   * @param peer whose
   * @param value inside this invocation, or {@link #NONE}
   * @param late whether the peer's reads in earlier invocations count too
   * @param semaphore what shows the progress on this rank's device
   */
  record PeerWait(int peer, int value, boolean late, long semaphore) {
    /** Nothing inside this invocation is waited for. */
    static final int NONE = -1;
  }

  Step {
    waits = List.copyOf(waits);
  }
}
