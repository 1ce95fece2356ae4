package org.allreducelab.backends.opencl;

import java.util.Map;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.device.WaitCosts;
import org.jspecify.annotations.Nullable;

/**
 * Measurements of devices that exist on paper.
 *
 * @param costs what waits cost, or null where that cannot be measured
 * @param pinningObstacles by device id, for those that have one
 */
record OnPaper(@Nullable WaitCosts costs, Map<String, String> pinningObstacles)
    implements Selection.Measurements {
  static final WaitCosts SLOW_WAITS = new WaitCosts(1, 4, 17);

  OnPaper {
    pinningObstacles = Map.copyOf(pinningObstacles);
  }

  /** Pinned memory, and waits that are worth a relay. */
  static OnPaper usual() {
    return new OnPaper(SLOW_WAITS, Map.of());
  }

  static OnPaper pageable(String id, String obstacle) {
    return new OnPaper(SLOW_WAITS, Map.of(id, obstacle));
  }

  @Override
  public KernelTraits kernels(Device device) {
    return KernelTraits.of(device, false);
  }

  @Override
  public WaitCosts waits(Device device, int ranks) {
    if (costs == null) {
      throw new BackendException("no end within 2 s");
    }
    return costs;
  }

  @Override
  public String pinningObstacle(Device device) {
    return pinningObstacles.getOrDefault(device.id(), "");
  }
}
