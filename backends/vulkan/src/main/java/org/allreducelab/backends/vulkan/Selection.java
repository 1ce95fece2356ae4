package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;

/**
 * Decides what a group runs with, from what was asked for and what the devices report, before
 * anything is created: a device never sees a request for what it does not advertise.
 */
final class Selection {
  private static final String FORCED = "forced";

  private final GroupSpec spec;
  private final VulkanSettings settings;
  private final List<PhysicalDevice> devices;
  private final boolean oneDevice;

  private Selection(GroupSpec spec, VulkanSettings settings, List<PhysicalDevice> devices) {
    this.spec = spec;
    this.settings = settings;
    this.devices = devices;
    oneDevice = new HashSet<>(spec.endpoints()).size() == 1;
  }

  /** Says of a device how its f32 addition is to be had; measures that when first asked. */
  interface Arithmetic {
    KernelTraits of(PhysicalDevice device, QueueFamily family);
  }

  /**
   * @param known all devices
   * @throws UnavailableException if an endpoint is not here, or lacks what a forced choice needs
   */
  static GroupPlan plan(
      GroupSpec spec, VulkanSettings settings, List<PhysicalDevice> known, Arithmetic arithmetic) {
    List<PhysicalDevice> devices = new ArrayList<>();
    for (String id : spec.endpoints()) {
      devices.add(find(id, known));
    }
    return new Selection(spec, settings, devices).plan(arithmetic);
  }

  private static PhysicalDevice find(String id, List<PhysicalDevice> known) {
    PhysicalDevice found =
        known.stream()
            .filter(d -> d.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new UnavailableException(
                        "no device "
                            + id
                            + "; here are "
                            + known.stream()
                                .map(d -> d.id() + " (" + d.facts().name() + ")")
                                .collect(Collectors.joining(", "))));
    if (!found.facts().obstacle().isEmpty()) {
      throw new UnavailableException(id + " cannot run groups: " + found.facts().obstacle());
    }
    return found;
  }

  private GroupPlan plan(Arithmetic arithmetic) {
    List<DevicePlan> plans = new ArrayList<>();
    for (PhysicalDevice device : devices) {
      QueueFamily family = family(device);
      plans.add(new DevicePlan(device, family, arithmetic.of(device, family)));
    }
    Choice<Placement> placement = placement(plans.get(0).family());
    boolean apart =
        placement.value() == Placement.LOGICAL || placement.value() == Placement.PHYSICAL;
    HandleType memory = memory();
    Choice<Transport> transport = transport(apart, memory);
    Choice<Sync> sync = sync(placement.value(), apart);
    return new GroupPlan(
        new Choices(
            placement, transport, sync, barrier(sync.value(), placement.value()), kernels(plans)),
        plans,
        memory);
  }

  // --- queue family
  // -------------------------------------------------------------------------------

  private QueueFamily family(PhysicalDevice device) {
    List<QueueFamily> families = device.facts().queueFamilies();
    if (settings.queueFamily() >= 0) {
      return families.stream()
          .filter(f -> f.index() == settings.queueFamily() && f.computes())
          .findFirst()
          .orElseThrow(
              () ->
                  new UnavailableException(
                      "queue family "
                          + settings.queueFamily()
                          + " of "
                          + device.id()
                          + " does not compute; its families: "
                          + families));
    }
    return families.stream()
        .filter(QueueFamily::computesOnly)
        .findFirst()
        .orElseGet(() -> families.stream().filter(QueueFamily::computes).findFirst().orElseThrow());
  }

  // --- placement
  // ----------------------------------------------------------------------------------

  private Choice<Placement> placement(QueueFamily family) {
    Placement forced = spec.placement();
    if (forced != null) {
      if (!oneDevice && forced != Placement.PHYSICAL) {
        throw new UnavailableException(
            "placement "
                + forced.label()
                + " needs all ranks on one device, not "
                + spec.endpoints());
      }
      return new Choice<>(forced, FORCED + ", queue family " + family);
    }
    if (!oneDevice) {
      return new Choice<>(Placement.PHYSICAL, "several devices");
    }
    if (family.queues() >= spec.ranks()) {
      return new Choice<>(Placement.QUEUES, "a queue for each rank in family " + family);
    }
    return new Choice<>(Placement.LOGICAL, spec.ranks() + " ranks, but queue family " + family);
  }

  // --- transport
  // ----------------------------------------------------------------------------------

  private HandleType memory() {
    if (!settings.memory().isEmpty()) {
      return settings.memory().equals(HandleType.DMA_BUF.label())
          ? HandleType.DMA_BUF
          : HandleType.OPAQUE_FD;
    }
    boolean opaque = devices.stream().allMatch(d -> d.facts().opaqueFdMemory().bothWays());
    boolean dmaBuf = devices.stream().allMatch(d -> d.facts().dmaBufMemory().bothWays());
    // Only a dma-buf may be imported into a different device.
    return dmaBuf && (!opaque || !oneDevice) ? HandleType.DMA_BUF : HandleType.OPAQUE_FD;
  }

  private Choice<Transport> transport(boolean apart, HandleType memory) {
    Transport forced = spec.transport();
    if (forced == Transport.STAGED_HOST) {
      require(d -> d.facts().hostMemory().importable(), "host-import", forced.label());
      return new Choice<>(forced, FORCED);
    }
    if (!apart) {
      return new Choice<>(Transport.DIRECT, forced == null ? "one logical device" : FORCED);
    }
    boolean shareable = devices.stream().allMatch(d -> memory.sharing(d.facts()).bothWays());
    if (forced == Transport.DIRECT) {
      require(
          d -> memory.sharing(d.facts()).bothWays(), "memory-" + memory.label(), forced.label());
      return new Choice<>(forced, FORCED + ", " + memory.label() + beyondSpecification(memory));
    }
    if (shareable && (oneDevice || memory == HandleType.DMA_BUF)) {
      return new Choice<>(
          Transport.DIRECT, memory.label() + " memory is exportable and importable");
    }
    require(d -> d.facts().hostMemory().importable(), "host-import", "any transport");
    return new Choice<>(
        Transport.STAGED_HOST,
        shareable
            ? "opaque-fd memory is not shared across different devices"
            : memory.label() + " memory is not shareable on every device");
  }

  private String beyondSpecification(HandleType memory) {
    return !oneDevice && memory == HandleType.OPAQUE_FD
        ? " across devices, which is outside the Vulkan specification"
        : "";
  }

  // --- sync
  // ---------------------------------------------------------------------------------------

  private Choice<Sync> sync(Placement placement, boolean apart) {
    Sync forced = spec.sync();
    if (placement == Placement.SINGLE_QUEUE) {
      if (forced == Sync.PROXY) {
        throw new UnavailableException(
            "sync proxy has nothing to signal on a single queue; use placement queues or logical");
      }
      return new Choice<>(Sync.NATIVE, "barriers inside the only queue");
    }
    if (forced == Sync.PROXY) {
      return new Choice<>(forced, FORCED);
    }
    if (!apart || spec.ranks() == 1) {
      return new Choice<>(Sync.NATIVE, forced == null ? "one logical device" : FORCED);
    }
    if (forced == Sync.NATIVE) {
      require(d -> d.facts().timeline().bothWays(), "timeline-share", "sync native");
      return new Choice<>(
          forced,
          oneDevice
              ? FORCED
              : FORCED + " across devices, which is outside the Vulkan specification");
    }
    if (!oneDevice) {
      return new Choice<>(Sync.PROXY, "timelines of different devices");
    }
    Sharing timeline = devices.get(0).facts().timeline();
    return timeline.bothWays()
        ? new Choice<>(Sync.NATIVE, "OPAQUE_FD timelines are exportable and importable")
        : new Choice<>(Sync.PROXY, timeline.detail());
  }

  // --- barrier and kernels
  // ------------------------------------------------------------------------

  private Choice<Barrier> barrier(Sync sync, Placement placement) {
    Barrier forced = spec.barrier();
    if (forced != null) {
      return new Choice<>(forced, FORCED);
    }
    boolean gpus = devices.stream().noneMatch(d -> d.facts().isCpu());
    return gpus && sync == Sync.NATIVE && placement == Placement.QUEUES
        ? new Choice<>(Barrier.RELAY, "on GPU queues many waits cost more than one hop")
        : new Choice<>(Barrier.PAIRWISE, "a hop costs more than the waits that it saves");
  }

  private static Choice<String> kernels(List<DevicePlan> plans) {
    List<String> soft =
        plans.stream()
            .filter(p -> p.traits().soft())
            .map(p -> p.physical().id())
            .distinct()
            .toList();
    return soft.isEmpty()
        ? new Choice<>("native-f32", "the start-up probe finds subnormals kept")
        : new Choice<>("soft-subnormals", "the start-up probe finds subnormals flushed on " + soft);
  }

  private void require(Predicate<PhysicalDevice> able, String capability, String forWhat) {
    for (PhysicalDevice device : devices) {
      if (!able.test(device)) {
        throw new UnavailableException(
            forWhat
                + " needs the capability "
                + capability
                + ", which "
                + device.id()
                + " ("
                + device.facts().name()
                + ") lacks: see its endpoint for the reason");
      }
    }
  }
}
