package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;
import static org.lwjgl.vulkan.VK10.VK_SUCCESS;

import java.util.Set;
import org.allreducelab.backends.FaultPlan;
import org.jspecify.annotations.Nullable;

/** Decides which call of a group's devices gives an error in place of being made. */
final class CallFaults {
  /** What a lost device refuses. It still answers when it is destroyed. */
  private static final Set<String> NEED_A_DEVICE =
      Set.of(
          "vkQueueSubmit", "vkWaitSemaphores", "vkSignalSemaphore", "vkGetSemaphoreCounterValue");

  private final FaultPlan.Refusal refusal;
  private long calls;
  private @Nullable LogicalDevice lost;

  CallFaults(FaultPlan.Refusal refusal) {
    this.refusal = refusal;
  }

  /** The error that a call gives, or {@code VK_SUCCESS} if it is to be made. */
  synchronized int code(String call, LogicalDevice device) {
    if (device.equals(lost) && NEED_A_DEVICE.contains(call)) {
      return VK_ERROR_DEVICE_LOST;
    }
    if (!refusal.call().equals(call) || calls++ != refusal.occurrence()) {
      return VK_SUCCESS;
    }
    if (refusal.code() == VK_ERROR_DEVICE_LOST) {
      lost = device;
    }
    return refusal.code();
  }
}
