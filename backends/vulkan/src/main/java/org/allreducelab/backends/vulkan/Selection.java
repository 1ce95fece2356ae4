package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.Placement.SINGLE_QUEUE;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.WaitCosts;
import org.allreducelab.backends.device.WaitRhythms;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a group runs with, from what was asked for and what the devices report, before
 * anything is created: a device never sees a request for what it does not advertise.
 */
final class Selection {
  private static final String FORCED = "forced";
  private static final String PROBED = "probed good by lab doctor";

  private final GroupSpec spec;
  private final List<PhysicalDevice> devices;
  private final boolean oneDevice;

  private Selection(GroupSpec spec, List<PhysicalDevice> devices) {
    this.spec = spec;
    this.devices = devices;
    oneDevice = new HashSet<>(spec.endpoints()).size() == 1;
  }

  /** What no driver reports. */
  interface Measurements {
    /** How a device's f32 addition is to be had; measured when first asked for. */
    KernelTraits traits(PhysicalDevice device, QueueFamily family);

    /**
     * What it costs that ranks on these devices wait for each other; measured when first asked for.
     *
     * @throws BackendException if that fails
     */
    WaitCosts waits(List<DevicePlan> devices, Placement placement, Sync sync);
  }

  /**
   * @param known all devices
   * @throws UnavailableException if an endpoint is not here, or lacks what a forced choice needs
   */
  static GroupPlan plan(GroupSpec spec, List<PhysicalDevice> known, Measurements measured) {
    List<PhysicalDevice> devices = new ArrayList<>();
    for (String id : spec.endpoints()) {
      devices.add(find(id, known));
    }
    return new Selection(spec, devices).plan(measured);
  }

  /**
   * The device of an id.
   *
   * @throws UnavailableException if it is not here, or no group runs on it
   */
  static PhysicalDevice find(String id, List<PhysicalDevice> known) {
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

  private GroupPlan plan(Measurements measured) {
    List<DevicePlan> plans = new ArrayList<>();
    for (PhysicalDevice device : devices) {
      QueueFamily family = family(device, spec.queueFamily());
      plans.add(new DevicePlan(device, family, measured.traits(device, family)));
    }
    Choice<Placement> placement = placement(plans.get(0).family());
    Layout layout = new Layout(placement.value(), devices, spec.queues());
    boolean apart = layout.apart();
    HandleType memory = memory(placement.value(), apart);
    Choice<Transport> transport = transport(apart, memory);
    Choice<Sync> sync = sync(placement.value(), apart, transport.value(), memory);
    return new GroupPlan(
        new Choices(
            placement,
            transport,
            sync,
            barrier(plans, layout, sync.value(), measured),
            kernels(plans),
            memoryChoice(apart, transport.value(), memory),
            queueFamily(plans),
            queues(plans, layout)),
        plans,
        memory,
        spec.queues());
  }

  // --- queue family
  // -------------------------------------------------------------------------------

  /**
   * The family that a device's queues are of.
   *
   * @param forced index of the one that was asked for, or null
   * @throws UnavailableException if the one that was asked for does not compute
   */
  static QueueFamily family(PhysicalDevice device, @Nullable Integer forced) {
    List<QueueFamily> families = device.facts().queueFamilies();
    if (forced != null) {
      return families.stream()
          .filter(f -> f.index() == forced && f.computes())
          .findFirst()
          .orElseThrow(
              () ->
                  new UnavailableException(
                      "queue family "
                          + forced
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

  private Choice<String> queueFamily(List<DevicePlan> plans) {
    String indices =
        plans.stream()
            .map(plan -> Integer.toString(plan.family().index()))
            .distinct()
            .collect(Collectors.joining("+"));
    if (spec.queueFamily() != null) {
      return new Choice<>(indices, FORCED);
    }
    return new Choice<>(
        indices,
        plans.stream().allMatch(plan -> plan.family().computesOnly())
            ? "computes only: no time slices with graphics"
            : "no family computes only");
  }

  private @Nullable Choice<String> queues(List<DevicePlan> plans, Layout layout) {
    Integer forced = spec.queues();
    boolean never = layout.apart() && oneDevice;
    if (forced != null && (never || layout.placement() == SINGLE_QUEUE)) {
      throw new UnavailableException(
          "queues "
              + forced
              + " is for ranks that share a logical device, but with placement "
              + layout.placement().label()
              + (never ? " none do" : " they have one queue"));
    }
    boolean alone = layout.apart() && layout.mostRanks() == 1;
    if (alone || layout.placement() == SINGLE_QUEUE) {
      return null;
    }
    int streams = layout.streams(layout.mostRanks());
    // Of the devices that have fewer than their own ranks' streams.
    int present =
        layout.ranksOfDevices().stream()
            .filter(r -> plans.get(r.get(0)).family().queues() < layout.streams(r.size()))
            .mapToInt(r -> plans.get(r.get(0)).family().queues())
            .min()
            .orElse(streams);
    String why = forced != null ? FORCED : "one for each rank";
    return new Choice<>(
        Integer.toString(streams),
        present >= streams
            ? why
            : why + ", taking turns on " + (present == 1 ? "the only one" : present));
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
    if (spec.memory() != null) {
      return new Choice<>(
          Placement.LOGICAL, "memory " + spec.memory().label() + " is shared between devices");
    }
    if (spec.queues() != null) {
      return new Choice<>(Placement.QUEUES, "ranks are to share queues of family " + family);
    }
    if (family.queues() >= spec.ranks()) {
      return new Choice<>(Placement.QUEUES, "a queue for each rank in family " + family);
    }
    return new Choice<>(Placement.LOGICAL, spec.ranks() + " ranks, but queue family " + family);
  }

  // --- transport
  // ----------------------------------------------------------------------------------

  private HandleType memory(Placement placement, boolean apart) {
    SharedMemory forced = spec.memory();
    if (forced != null) {
      if (!apart) {
        throw new UnavailableException(
            "memory "
                + forced.label()
                + " is shared between devices, but with placement "
                + placement.label()
                + " there is one; use placement logical or physical");
      }
      if (spec.transport() == Transport.STAGED_HOST) {
        throw new UnavailableException(
            "memory "
                + forced.label()
                + " is for transport direct; staged-host goes through host memory");
      }
      return HandleType.of(forced);
    }
    boolean opaque = devices.stream().allMatch(d -> d.facts().opaqueFdMemory().bothWays());
    boolean dmaBuf = devices.stream().allMatch(d -> d.facts().dmaBufMemory().bothWays());
    // Only a dma-buf may be imported into a different device.
    return dmaBuf && (!opaque || !oneDevice) ? HandleType.DMA_BUF : HandleType.OPAQUE_FD;
  }

  private Choice<Transport> transport(boolean apart, HandleType memory) {
    // A kind of device memory is forced for the one transport that uses it.
    Transport forced = spec.memory() == null ? spec.transport() : Transport.DIRECT;
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
    if (shareable && memoryProbedGood(memory)) {
      return new Choice<>(
          Transport.DIRECT, PROBED + beyondSpecification(memory) + " (" + memory.label() + ")");
    }
    require(d -> d.facts().hostMemory().importable(), "host-import", "any transport");
    return new Choice<>(
        Transport.STAGED_HOST,
        shareable
            ? "opaque-fd memory is not shared across different devices"
            : memory.label() + " memory is not shareable on every device");
  }

  private @Nullable Choice<SharedMemory> memoryChoice(
      boolean apart, Transport transport, HandleType memory) {
    if (!apart || transport != Transport.DIRECT) {
      return null;
    }
    if (spec.memory() != null) {
      return new Choice<>(memory.memory(), FORCED);
    }
    return new Choice<>(
        memory.memory(),
        memory == HandleType.DMA_BUF
            ? oneDevice ? "opaque-fd memory is not shareable" : "may be shared across devices"
            : "exportable and importable");
  }

  private String beyondSpecification(HandleType memory) {
    return !oneDevice && memory == HandleType.OPAQUE_FD
        ? " across devices, which is outside the Vulkan specification"
        : "";
  }

  // --- sync
  // ---------------------------------------------------------------------------------------

  private Choice<Sync> sync(
      Placement placement, boolean apart, Transport transport, HandleType memory) {
    Sync forced = spec.sync();
    if (placement == SINGLE_QUEUE) {
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
      String kind = transport == Transport.DIRECT ? memory.label() : ProbeClaims.HOST;
      return devices.stream().allMatch(d -> d.facts().timeline().bothWays())
              && probedGood(kind, Sync.NATIVE)
          ? new Choice<>(Sync.NATIVE, PROBED + ", outside the Vulkan specification")
          : new Choice<>(Sync.PROXY, "timelines of different devices");
    }
    Sharing timeline = devices.get(0).facts().timeline();
    return timeline.bothWays()
        ? new Choice<>(Sync.NATIVE, "OPAQUE_FD timelines are exportable and importable")
        : new Choice<>(Sync.PROXY, timeline.detail());
  }

  // --- what the doctor found
  // ----------------------------------------------------------------------

  private boolean memoryProbedGood(HandleType memory) {
    return probedGood(memory.label(), Sync.NATIVE) || probedGood(memory.label(), Sync.PROXY);
  }

  /** Whether each of the devices was seen to read every other's bytes so. */
  private boolean probedGood(String memory, Sync sync) {
    List<Endpoint> endpoints = devices.stream().distinct().map(EndpointDescription::of).toList();
    return endpoints.stream()
        .allMatch(
            from ->
                endpoints.stream()
                    .allMatch(to -> to.equals(from) || spec.probes().good(from, to, memory, sync)));
  }

  // --- barrier and kernels
  // ------------------------------------------------------------------------

  private Choice<Barrier> barrier(
      List<DevicePlan> plans, Layout layout, Sync sync, Measurements measured) {
    Barrier forced = spec.barrier();
    if (forced != null) {
      return new Choice<>(forced, FORCED);
    }
    int waiting = layout.streams();
    if (waiting == 1) {
      return new Choice<>(Barrier.PAIRWISE, "nobody waits on a single queue");
    }
    if (waiting < WaitRhythms.LEAST_RANKS) {
      return new Choice<>(
          Barrier.PAIRWISE,
          plans.size() == waiting
              ? "two ranks wait as often either way"
              : "ranks on two queues wait as often either way");
    }
    try {
      return measured.waits(plans, layout.placement(), sync).barrier(waiting);
    } catch (BackendException e) {
      boolean gpus = devices.stream().noneMatch(d -> d.facts().isCpu());
      return new Choice<>(
          gpus && sync == Sync.NATIVE && layout.placement() == Placement.QUEUES
              ? Barrier.RELAY
              : Barrier.PAIRWISE,
          "guessed, since waits could not be measured: " + e.getMessage());
    }
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
