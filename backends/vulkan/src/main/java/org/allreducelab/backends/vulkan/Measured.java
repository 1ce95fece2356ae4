package org.allreducelab.backends.vulkan;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.AdditionProbe;
import org.allreducelab.backends.device.KnownWaitCosts;
import org.allreducelab.backends.device.WaitCosts;
import org.allreducelab.backends.device.WaitRhythms;
import org.jspecify.annotations.Nullable;

/**
 * Measures by trying. What waits cost is kept for this process and on disk, by devices, drivers,
 * queue family, placement and sync: another driver is another file.
 */
final class Measured implements Selection.Measurements {
  private static final KnownWaitCosts KNOWN = KnownWaitCosts.ofUser();

  @Override
  public KernelTraits traits(PhysicalDevice device, QueueFamily family) {
    return KernelTraits.reported(device.facts(), flushes(device, family));
  }

  private static boolean flushes(PhysicalDevice device, QueueFamily family) {
    DevicePlan plain = new DevicePlan(device, family, KernelTraits.reported(device.facts(), false));
    return AdditionProbe.flushes(
        device.id(),
        (spec, choices) ->
            VulkanEngine.open(
                spec, new GroupPlan(choices, List.of(plain, plain), HandleType.OPAQUE_FD, null)));
  }

  @Override
  public WaitCosts waits(List<DevicePlan> devices, Placement placement, Sync sync) {
    List<DevicePlan> some = devices.subList(0, Math.min(devices.size(), WaitRhythms.MOST_RANKS));
    if (VulkanSettings.present().validation()) {
      throw new BackendException("the validation layer is on, and takes its own time");
    }
    return KNOWN.find(key(some, placement, sync), () -> measure(some, placement, sync));
  }

  /** What is known of a device by itself, without measuring anything; null for nothing. */
  static @Nullable WaitCosts known(
      PhysicalDevice device, QueueFamily family, Placement placement, Sync sync) {
    KernelTraits any = KernelTraits.reported(device.facts(), false);
    List<DevicePlan> four =
        Collections.nCopies(WaitRhythms.MOST_RANKS, new DevicePlan(device, family, any));
    return KNOWN.kept(key(four, placement, sync));
  }

  private static WaitCosts measure(List<DevicePlan> devices, Placement placement, Sync sync) {
    try (WaitRig rig = new WaitRig(plan(devices, placement, sync))) {
      return rig.measure();
    }
  }

  private static GroupPlan plan(List<DevicePlan> devices, Placement placement, Sync sync) {
    String why = "to measure waits";
    return new GroupPlan(
        new Choices(
            new Choice<>(placement, why),
            new Choice<>(Transport.DIRECT, why),
            new Choice<>(sync, why),
            new Choice<>(Barrier.PAIRWISE, why),
            new Choice<>("none", why)),
        devices,
        HandleType.OPAQUE_FD,
        null);
  }

  private static String key(List<DevicePlan> devices, Placement placement, Sync sync) {
    return devices.stream()
            .map(
                d ->
                    String.join(
                        " ",
                        d.physical().facts().deviceUuid(),
                        d.physical().facts().driverUuid(),
                        d.physical().facts().driver(),
                        d.physical().facts().driverInfo(),
                        d.physical().facts().pipelines().name(),
                        d.family().toString()))
            .collect(Collectors.joining("\n"))
        + "\n"
        + placement.label()
        + (placement == Placement.PHYSICAL ? ", ranks of a GPU on one logical device" : "")
        + "\n"
        + sync.label();
  }
}
