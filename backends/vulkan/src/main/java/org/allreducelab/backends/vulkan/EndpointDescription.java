package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.allreducelab.backends.Capability;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.device.WaitCosts;

/** Tells people what a device can do, with the source of each fact. */
final class EndpointDescription {
  private EndpointDescription() {}

  static Endpoint of(PhysicalDevice device) {
    DeviceFacts f = device.facts();
    return new Endpoint(
        device.id(),
        f.name(),
        f.driver() + " " + f.driverInfo() + ", Vulkan " + f.apiVersionText(),
        "uuid " + f.deviceUuid() + (f.pciAddress().isEmpty() ? "" : " pci " + f.pciAddress()),
        capabilities(f),
        properties(device));
  }

  private static List<Capability> capabilities(DeviceFacts f) {
    List<Capability> all = new ArrayList<>();
    all.add(
        new Capability(
            "groups",
            f.obstacle().isEmpty(),
            f.obstacle().isEmpty()
                ? "timelineSemaphore, bufferDeviceAddress, a compute queue"
                : f.obstacle()));
    all.add(shared("timeline-share", f.timeline()));
    all.add(shared("memory-opaque-fd", f.opaqueFdMemory()));
    all.add(shared("memory-dma-buf", f.dmaBufMemory()));
    all.add(
        new Capability(
            "host-import",
            f.hostMemory().importable(),
            f.hostMemory().importable()
                ? f.hostMemory().source() + ", alignment " + f.hostAlignment()
                : f.hostMemory().source()));
    all.add(reported("denorm-preserve-32", f.denormPreserve32(), "shaderDenormPreserveFloat32"));
    all.add(reported("rounding-rte-32", f.roundingRte32(), "shaderRoundingModeRTEFloat32"));
    all.add(
        reported(
            "signed-zero-inf-nan-32",
            f.signedZeroInfNan32(),
            "shaderSignedZeroInfNanPreserveFloat32"));
    boolean timestamps =
        f.queueFamilies().stream().anyMatch(q -> q.computes() && q.timestampBits() > 0);
    all.add(
        new Capability(
            "timestamps",
            timestamps,
            timestamps
                ? "timestampValidBits, a tick is " + f.timestampPeriodNs() + " ns"
                : "no compute queue family has timestampValidBits"));
    return all;
  }

  private static Capability shared(String name, Sharing sharing) {
    return new Capability(name, sharing.bothWays(), sharing.detail());
  }

  private static Capability reported(String name, boolean present, String property) {
    return new Capability(name, present, property + (present ? "" : " is false"));
  }

  private static Map<String, String> properties(PhysicalDevice device) {
    DeviceFacts f = device.facts();
    Map<String, String> all = new LinkedHashMap<>();
    all.put("driver uuid", f.driverUuid());
    all.put("heaps", String.join("; ", f.heaps()));
    all.put(
        "queue families",
        f.queueFamilies().stream().map(QueueFamily::toString).collect(Collectors.joining("; ")));
    all.put("work group size", "≤ " + f.maxWorkGroupSize());
    all.put("largest allocation", f.maxAllocationBytes() / (1 << 20) + " MiB");
    all.put(
        "storage buffer range",
        f.maxStorageBufferRange() / (1 << 20) + " MiB (kernels use addresses, it binds nothing)");
    if (f.obstacle().isEmpty()) {
      all.put("waits", waits(device));
    }
    return all;
  }

  /** What groups on this device alone have measured so far. */
  private static String waits(PhysicalDevice device) {
    QueueFamily family = QueueChoices.family(device, null);
    List<String> known = new ArrayList<>();
    for (Placement placement : List.of(Placement.QUEUES, Placement.LOGICAL)) {
      for (Sync sync : Sync.values()) {
        WaitCosts costs = Measured.known(device, family, placement, sync);
        if (costs != null) {
          known.add(placement.label() + " " + sync.label() + ": " + costs);
        }
      }
    }
    return known.isEmpty()
        ? "not measured yet; the first group of three or more ranks does"
        : String.join("; ", known);
  }
}
