package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Placement;
import org.jspecify.annotations.Nullable;

/**
 * Everything decided about a group before anything is made for it.
 *
 * @param choices what users are told
 * @param devices one per rank
 * @param memory through which handle device memory is shared where ranks have devices of their own
 * @param queues how many queues the ranks of a logical device share at most, or null for one each
 */
record GroupPlan(
    Choices choices, List<DevicePlan> devices, HandleType memory, @Nullable Integer queues) {
  GroupPlan {
    devices = List.copyOf(devices);
  }

  int ranks() {
    return devices.size();
  }

  Placement placement() {
    return choices.placement().value();
  }

  /** Whether ranks are spread over several logical devices. */
  boolean apart() {
    return layout().apart();
  }

  Layout layout() {
    return new Layout(placement(), devices.stream().map(DevicePlan::physical).toList(), queues);
  }
}
