package org.allreducelab.backends.opencl;

import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;

/** Decides what a group runs with, from what was asked for and what the devices report. */
final class Selection {
  private static final String FORCED = "forced";

  private final GroupSpec spec;
  private final List<Device> devices;
  private final boolean oneDevice;

  private Selection(GroupSpec spec, List<Device> devices) {
    this.spec = spec;
    this.devices = devices;
    oneDevice = new HashSet<>(spec.endpoints()).size() == 1;
  }

  /**
   * @param devices one per rank
   * @param kernels what suits a device; measured when first asked
   * @throws UnavailableException if a device lacks what a forced choice needs
   */
  static GroupPlan plan(
      GroupSpec spec, List<Device> devices, Function<Device, KernelTraits> kernels) {
    return new Selection(spec, devices).plan(kernels);
  }

  private GroupPlan plan(Function<Device, KernelTraits> kernels) {
    devices.forEach(Selection::requireAble);
    Choice<Placement> placement = placement();
    Choice<Sync> sync = sync(placement.value());
    List<KernelTraits> traits = devices.stream().map(kernels).toList();
    return new GroupPlan(
        new Choices(
            placement,
            transport(placement.value()),
            sync,
            barrier(placement.value()),
            kernels(traits)),
        devices,
        traits);
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
    Placement forced = spec.placement();
    if (forced != null) {
      if (!oneDevice && forced != Placement.PHYSICAL) {
        throw new UnavailableException(
            "placement "
                + forced.label()
                + " needs all ranks on one device, not "
                + spec.endpoints());
      }
      return new Choice<>(forced, FORCED);
    }
    return oneDevice
        ? new Choice<>(Placement.QUEUES, "one device: a queue for each rank in one context")
        : new Choice<>(Placement.PHYSICAL, "several devices");
  }

  private Choice<Transport> transport(Placement placement) {
    boolean apart = placement == Placement.LOGICAL || placement == Placement.PHYSICAL;
    Transport forced = spec.transport();
    if (forced == Transport.DIRECT && apart) {
      throw new UnavailableException(
          "transport direct needs all ranks in one context; use placement queues or single-queue");
    }
    if (apart) {
      return new Choice<>(
          Transport.STAGED_HOST, forced == null ? "contexts share no memory" : FORCED);
    }
    return forced == null
        ? new Choice<>(Transport.DIRECT, "one context")
        : new Choice<>(forced, FORCED);
  }

  private Choice<Sync> sync(Placement placement) {
    Sync forced = spec.sync();
    if (placement == Placement.LOGICAL || placement == Placement.PHYSICAL) {
      if (forced == Sync.NATIVE && spec.ranks() > 1) {
        throw new UnavailableException(
            "sync native needs all ranks in one context: events do not reach beyond it");
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

  private Choice<Barrier> barrier(Placement placement) {
    Barrier forced = spec.barrier();
    if (forced != null) {
      return new Choice<>(forced, FORCED);
    }
    boolean gpus = devices.stream().noneMatch(d -> d.facts().isCpu());
    return gpus && placement == Placement.QUEUES
        ? new Choice<>(Barrier.RELAY, "on GPU queues many waits cost more than one hop")
        : new Choice<>(Barrier.PAIRWISE, "a hop costs more than the waits that it saves");
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
