package org.allreducelab.backends.opencl;

import java.util.Map;

/**
 * Devices that only exist here.
 *
 * @param pinningObstacles by device id, for those that have one
 */
record OnPaper(Map<String, String> pinningObstacles) implements Selection.Measurements {
  OnPaper {
    pinningObstacles = Map.copyOf(pinningObstacles);
  }

  @Override
  public KernelTraits kernels(Device device) {
    return KernelTraits.of(device, false);
  }

  @Override
  public String pinningObstacle(Device device) {
    return pinningObstacles.getOrDefault(device.id(), "");
  }
}
