package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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

/**
 * Decides what a group runs with, from what was asked for and what the devices report, before
 * anything is created: a device never sees a request for what it does not advertise.
 */
final class Selection {
  /** The reason of a choice that was asked for. */
  static final String FORCED = "forced";

  private final GroupSpec spec;
  private final List<PhysicalDevice> devices;

  private Selection(GroupSpec spec, List<PhysicalDevice> devices) {
    this.spec = spec;
    this.devices = devices;
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
      QueueFamily family = QueueChoices.family(device, spec.queueFamily());
      plans.add(new DevicePlan(device, family, measured.traits(device, family)));
    }
    QueueChoices queues = new QueueChoices(spec);
    SharingChoices sharing = new SharingChoices(spec, devices);
    Choice<Placement> placement = queues.placement(plans.get(0).family());
    Layout layout = new Layout(placement.value(), devices, spec.queues());
    boolean apart = layout.apart();
    HandleType memory = sharing.memory(placement.value(), apart);
    Choice<Transport> transport = sharing.transport(apart, memory);
    Choice<Sync> sync = sharing.sync(placement.value(), apart, transport.value(), memory);
    return new GroupPlan(
        new Choices(
            placement,
            transport,
            sync,
            barrier(plans, layout, sync.value(), measured),
            kernels(plans),
            sharing.memoryChoice(apart, transport.value(), memory),
            queues.queueFamily(plans),
            queues.queues(plans, layout)),
        plans,
        memory,
        spec.queues());
  }

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
}
