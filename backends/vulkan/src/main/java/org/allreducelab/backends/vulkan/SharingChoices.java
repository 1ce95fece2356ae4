package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.Placement.SINGLE_QUEUE;

import java.util.List;
import java.util.function.Predicate;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Through what the ranks of a group share memory and signals, from what was asked for, what the
 * devices report, and what the doctor found.
 */
final class SharingChoices {
  private static final String PROBED = "probed good by lab doctor";

  private final GroupSpec spec;
  private final List<PhysicalDevice> devices;
  private final boolean oneDevice;

  /**
   * @param devices one per rank
   */
  SharingChoices(GroupSpec spec, List<PhysicalDevice> devices) {
    this.spec = spec;
    this.devices = devices;
    oneDevice = spec.isOnOneEndpoint();
  }

  /**
   * Through which handle device memory would be shared.
   *
   * @param apart whether ranks are on logical devices of their own
   * @throws UnavailableException if one is forced where nothing uses it
   */
  HandleType memory(Placement placement, boolean apart) {
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

  /**
   * How peers' values are reached.
   *
   * @throws UnavailableException if a device lacks what is forced, or any way at all
   */
  Choice<Transport> transport(boolean apart, HandleType memory) {
    // A kind of device memory is forced for the one transport that uses it.
    Transport forced = spec.memory() == null ? spec.transport() : Transport.DIRECT;
    if (forced == Transport.STAGED_HOST) {
      require(d -> d.facts().hostMemory().importable(), "host-import", forced.label());
      return new Choice<>(forced, Selection.FORCED);
    }
    if (!apart) {
      return new Choice<>(
          Transport.DIRECT, forced == null ? "one logical device" : Selection.FORCED);
    }
    boolean shareable = devices.stream().allMatch(d -> memory.sharing(d.facts()).bothWays());
    if (forced == Transport.DIRECT) {
      require(
          d -> memory.sharing(d.facts()).bothWays(), "memory-" + memory.label(), forced.label());
      return new Choice<>(
          forced, Selection.FORCED + ", " + memory.label() + beyondSpecification(memory));
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

  /** What users are told of {@link #memory}; null where no device memory is shared. */
  @Nullable Choice<SharedMemory> memoryChoice(
      boolean apart, Transport transport, HandleType memory) {
    if (!apart || transport != Transport.DIRECT) {
      return null;
    }
    if (spec.memory() != null) {
      return new Choice<>(memory.memory(), Selection.FORCED);
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

  /**
   * How ranks wait for each other.
   *
   * @throws UnavailableException if a device lacks what is forced
   */
  Choice<Sync> sync(Placement placement, boolean apart, Transport transport, HandleType memory) {
    Sync forced = spec.sync();
    if (placement == SINGLE_QUEUE) {
      if (forced == Sync.PROXY) {
        throw new UnavailableException(
            "sync proxy has nothing to signal on a single queue; use placement queues or logical");
      }
      return new Choice<>(Sync.NATIVE, "barriers inside the only queue");
    }
    if (forced == Sync.PROXY) {
      return new Choice<>(forced, Selection.FORCED);
    }
    if (!apart || spec.ranks() == 1) {
      return new Choice<>(Sync.NATIVE, forced == null ? "one logical device" : Selection.FORCED);
    }
    if (forced == Sync.NATIVE) {
      require(d -> d.facts().timeline().bothWays(), "timeline-share", "sync native");
      return new Choice<>(
          forced,
          oneDevice
              ? Selection.FORCED
              : Selection.FORCED + " across devices, which is outside the Vulkan specification");
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
