package org.allreducelab.backends.opencl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.WaitCosts;
import org.allreducelab.backends.device.WaitRhythms;

/** Decides what a group runs with, from what was asked for and what the devices report. */
final class Selection {
  private static final String FORCED = "forced";

  private final GroupSpec spec;
  private final List<Device> devices;
  private final Sharing sharing;
  private final boolean oneDevice;

  private Selection(GroupSpec spec, List<Device> devices, Sharing sharing) {
    this.sharing = sharing;
    this.spec = spec;
    this.devices = devices;
    oneDevice = spec.isOnOneEndpoint();
  }

  /** What no driver reports. */
  interface Measurements {
    /** Which kernels suit a device; measured when first asked for. */
    KernelTraits kernels(Device device);

    /**
     * What it costs that ranks with queues in one context of the device wait for each other;
     * measured when first asked for.
     *
     * @throws BackendException if that fails
     */
    WaitCosts waits(Device device, int ranks);

    /** Why slots cannot be {@link SlotMemory#PINNED}; empty if they can. Tried when first asked. */
    String pinningObstacle(Device device);
  }

  /**
   * @param devices one per rank
   * @param sharing how contexts see the same memory
   * @throws UnavailableException if a device lacks what a forced choice needs
   */
  static GroupPlan plan(
      GroupSpec spec, List<Device> devices, Measurements measured, Sharing sharing) {
    return new Selection(spec, devices, sharing).plan(measured);
  }

  private GroupPlan plan(Measurements measured) {
    devices.forEach(Selection::requireAble);
    Choice<Placement> placement = placement();
    Choice<Sync> sync = sync(placement.value());
    Map<Device, String> pageable =
        GroupPlan.together(placement.value()) ? Map.of() : pageable(measured);
    Choice<Transport> transport = transport(placement.value(), pageable);
    List<KernelTraits> traits = devices.stream().map(measured::kernels).toList();
    return new GroupPlan(
        new Choices(
            placement, transport, sync, barrier(placement.value(), measured), kernels(traits)),
        devices,
        traits,
        devices.stream()
            .map(d -> pageable.containsKey(d) ? SlotMemory.PAGEABLE : SlotMemory.PINNED)
            .toList());
  }

  /** The devices whose driver gives no memory for slots, with the reason. */
  private Map<Device, String> pageable(Measurements measured) {
    Map<Device, String> pageable = new LinkedHashMap<>();
    for (Device device : devices) {
      String obstacle = measured.pinningObstacle(device);
      if (!obstacle.isEmpty()) {
        pageable.put(device, obstacle);
      }
    }
    return pageable;
  }

  /**
   * @throws UnavailableException if no group can run on the device
   */
  static void requireAble(Device device) {
    if (!device.facts().obstacle().isEmpty()) {
      throw new UnavailableException(device.label() + ": " + device.facts().obstacle());
    }
  }

  private Choice<Placement> placement() {
    Placement forced = spec.possiblePlacement();
    if (forced != null) {
      return new Choice<>(forced, FORCED);
    }
    return oneDevice
        ? new Choice<>(Placement.QUEUES, "one device: a queue for each rank in one context")
        : new Choice<>(Placement.PHYSICAL, "several devices");
  }

  private Choice<Transport> transport(Placement placement, Map<Device, String> pageable) {
    boolean apart = !GroupPlan.together(placement);
    Transport forced = spec.transport();
    if (forced == Transport.DIRECT && apart) {
      return shared(placement);
    }
    if (apart) {
      return new Choice<>(
          Transport.STAGED_HOST,
          (forced == null ? "contexts share no memory" : FORCED) + "; " + slots(pageable));
    }
    return forced == null
        ? new Choice<>(Transport.DIRECT, "one context")
        : new Choice<>(forced, FORCED);
  }

  /** Contexts that import the same memory. */
  private Choice<Transport> shared(Placement placement) {
    String obstacle =
        placement == Placement.PHYSICAL && !oneDevice
            ? "a device does not import another one's"
            : sharing.obstacle(devices.get(0));
    if (!obstacle.isEmpty()) {
      throw new UnavailableException(
          "transport direct needs all ranks in one context, or memory that their contexts share: "
              + obstacle
              + "; use placement queues or single-queue, or transport staged-host");
    }
    return new Choice<>(Transport.DIRECT, FORCED + "; in " + sharing.source(devices.get(0)));
  }

  private static String slots(Map<Device, String> pageable) {
    return pageable.isEmpty()
        ? "slots in memory that the drivers pin"
        : "slots in pageable memory, since pinned memory failed: "
            + String.join("; ", pageable.values());
  }

  private Choice<Sync> sync(Placement placement) {
    Sync forced = spec.sync();
    if (!GroupPlan.together(placement)) {
      if (forced == Sync.NATIVE && spec.ranks() > 1) {
        throw new UnavailableException(
            "sync native needs all ranks in one context, since events do not reach beyond it: "
                + noSemaphores()
                + "; use placement queues or single-queue, or sync proxy");
      }
      return new Choice<>(Sync.PROXY, forced == null ? "events end at a context" : FORCED);
    }
    if (forced == Sync.PROXY) {
      throw new UnavailableException(
          "sync proxy is for ranks in contexts of their own; use placement logical or physical");
    }
    return placement == Placement.SINGLE_QUEUE
        ? new Choice<>(Sync.NATIVE, "the order of the only queue")
        : new Choice<>(Sync.NATIVE, forced == null ? "events of one context" : FORCED);
  }

  /** Why semaphores do not do what events cannot. */
  private String noSemaphores() {
    for (Device device : devices) {
      ExternalHandles external = device.facts().external();
      if (!external.exportsSemaphores()) {
        return device.label() + " exports no semaphores: " + external.semaphoreExport().detail();
      }
      if (!external.importsSemaphores()) {
        return device.label() + " imports no semaphores: " + external.semaphoreImport().detail();
      }
    }
    return "these devices share semaphores, which this backend does not use";
  }

  private Choice<Barrier> barrier(Placement placement, Measurements measured) {
    Barrier forced = spec.barrier();
    if (forced != null) {
      return new Choice<>(forced, FORCED);
    }
    if (!GroupPlan.together(placement)) {
      return new Choice<>(Barrier.PAIRWISE, "a wait for a peer is a load of the host");
    }
    if (placement == Placement.SINGLE_QUEUE) {
      return new Choice<>(Barrier.PAIRWISE, "nobody waits on a single queue");
    }
    if (spec.ranks() < WaitRhythms.LEAST_RANKS) {
      return new Choice<>(Barrier.PAIRWISE, "two ranks wait as often either way");
    }
    Device device = devices.get(0);
    try {
      return measured.waits(device, spec.ranks()).barrier(spec.ranks());
    } catch (BackendException e) {
      return new Choice<>(
          device.facts().isCpu() ? Barrier.PAIRWISE : Barrier.RELAY,
          "guessed, since waits could not be measured: " + e.getMessage());
    }
  }

  private Choice<String> kernels(List<KernelTraits> traits) {
    List<String> flushing =
        devices.stream()
            .filter(device -> traits.get(devices.indexOf(device)).soft())
            .map(Device::id)
            .distinct()
            .toList();
    return flushing.isEmpty()
        ? new Choice<>("native-f32", "the start-up probe finds subnormals kept")
        : new Choice<>(
            "soft-subnormals", "the start-up probe finds subnormals flushed on " + flushing);
  }
}
