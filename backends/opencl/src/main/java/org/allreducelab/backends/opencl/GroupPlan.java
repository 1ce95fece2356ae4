package org.allreducelab.backends.opencl;

import java.util.List;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Placement;

/**
 * Everything decided about a group before anything is made for it.
 *
 * @param choices what users are told
 * @param devices one per rank
 * @param traits one per rank: of its kernels
 * @param slots one per rank: where its slots lie, if it has a context of its own
 */
record GroupPlan(
    Choices choices, List<Device> devices, List<KernelTraits> traits, List<SlotMemory> slots) {
  GroupPlan {
    devices = List.copyOf(devices);
    traits = List.copyOf(traits);
    slots = List.copyOf(slots);
  }

  int ranks() {
    return devices.size();
  }

  /** Whether all ranks are in one context. */
  boolean together() {
    return together(choices.placement().value());
  }

  /** Whether that placement puts all ranks in one context. */
  static boolean together(Placement placement) {
    return placement == Placement.QUEUES || placement == Placement.SINGLE_QUEUE;
  }
}
