package org.allreducelab.backends.opencl;

import java.util.function.Function;
import org.allreducelab.backends.device.KnownWaitCosts;
import org.allreducelab.backends.device.WaitCosts;
import org.allreducelab.backends.device.WaitRhythms;
import org.jspecify.annotations.Nullable;

/**
 * Measures by trying. What waits cost is kept for this process and on disk, by device and driver.
 *
 * @param ofDevice which kernels suit a device
 */
record Measured(Function<Device, KernelTraits> ofDevice) implements Selection.Measurements {
  private static final KnownWaitCosts KNOWN = KnownWaitCosts.ofUser();

  @Override
  public KernelTraits kernels(Device device) {
    return ofDevice.apply(device);
  }

  @Override
  public WaitCosts waits(Device device, int ranks) {
    int some = Math.min(ranks, WaitRhythms.MOST_RANKS);
    return KNOWN.find(key(device, some), () -> measure(device, some));
  }

  /** What is known of a device, without measuring anything; null for nothing. */
  static @Nullable WaitCosts known(Device device) {
    return KNOWN.kept(key(device, WaitRhythms.MOST_RANKS));
  }

  private static WaitCosts measure(Device device, int ranks) {
    try (WaitRig rig = new WaitRig(device, ranks)) {
      return rig.measure();
    }
  }

  private static String key(Device device, int ranks) {
    DeviceFacts f = device.facts();
    return String.join(
        "\n",
        "opencl",
        f.platform(),
        f.version(),
        f.driver(),
        f.name(),
        f.identity(),
        f.computeUnits() + " compute units",
        ranks + " queues");
  }

  @Override
  public String pinningObstacle(Device device) {
    return PinningProbe.obstacle(device);
  }
}
