package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Placement;

/**
 * Everything decided about a group before anything is made for it.
 *
 * @param choices what users are told
 * @param devices one per rank
 * @param memory through which handle device memory is shared where ranks have devices of their own
 */
record GroupPlan(Choices choices, List<DevicePlan> devices, HandleType memory) {
  GroupPlan {
    devices = List.copyOf(devices);
  }

  int ranks() {
    return devices.size();
  }

  Placement placement() {
    return choices.placement().value();
  }

  /** Whether every rank has a logical device of its own. */
  boolean apart() {
    return placement() == Placement.LOGICAL || placement() == Placement.PHYSICAL;
  }
}
