package org.allreducelab.backends.opencl;

import java.util.function.Function;

/**
 * Measures by trying.
 *
 * @param ofDevice which kernels suit a device
 */
record Measured(Function<Device, KernelTraits> ofDevice) implements Selection.Measurements {
  @Override
  public KernelTraits kernels(Device device) {
    return ofDevice.apply(device);
  }

  @Override
  public String pinningObstacle(Device device) {
    return PinningProbe.obstacle(device);
  }
}
