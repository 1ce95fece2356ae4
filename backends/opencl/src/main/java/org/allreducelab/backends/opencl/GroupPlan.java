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
 */
record GroupPlan(Choices choices, List<Device> devices, List<KernelTraits> traits) {
  GroupPlan {
    devices = List.copyOf(devices);
    traits = List.copyOf(traits);
  }

  int ranks() {
    return devices.size();
  }

  /** Whether all ranks are in one context. */
  boolean together() {
    Placement placement = choices.placement().value();
    return placement == Placement.QUEUES || placement == Placement.SINGLE_QUEUE;
  }
}
