package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.device.WaitCosts;
import org.jspecify.annotations.Nullable;

/**
 * Measurements of devices that exist on paper.
 *
 * @param costs what waits cost, or null where that cannot be measured
 */
record OnPaper(@Nullable WaitCosts costs) implements Selection.Measurements {
  @Override
  public KernelTraits traits(PhysicalDevice device, QueueFamily family) {
    return KernelTraits.reported(device.facts(), false);
  }

  @Override
  public WaitCosts waits(List<DevicePlan> devices, Placement placement, Sync sync) {
    if (costs == null) {
      throw new BackendException("the gate is stuck");
    }
    return costs;
  }
}
