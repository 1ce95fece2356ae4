package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.ProbeMode;

/**
 * What the drivers of a directed pair claim, from what was queried.
 *
 * <p>OPAQUE_FD handles are specified within one device and driver only (Vulkan, "External Memory
 * Handle Types Compatibility" and its counterpart for semaphores); a dma-buf may go anywhere that
 * imports one.
 */
final class ProbeClaims {
  /** The kind of memory of {@link Transport#STAGED_HOST}. */
  static final String HOST = "host";

  private final PhysicalDevice from;
  private final PhysicalDevice to;

  private ProbeClaims(PhysicalDevice from, PhysicalDevice to) {
    this.from = from;
    this.to = to;
  }

  /** A claim with its reason. */
  private record Found(Claim claim, String reason) {
    /** Both are needed. */
    Found and(Found other) {
      if (claim == other.claim) {
        return new Found(
            claim,
            Stream.of(reason, other.reason)
                .filter(text -> !text.isEmpty())
                .distinct()
                .collect(Collectors.joining("; ")));
      }
      return claim.compareTo(other.claim) > 0 ? this : other;
    }
  }

  static List<ProbeMode> of(PhysicalDevice from, PhysicalDevice to) {
    ProbeClaims claims = new ProbeClaims(from, to);
    List<ProbeMode> modes = new ArrayList<>();
    for (HandleType type : HandleType.values()) {
      claims.addModes(Transport.DIRECT, type.label(), claims.memory(type), modes);
    }
    claims.addModes(Transport.STAGED_HOST, HOST, claims.hostMemory(), modes);
    return modes;
  }

  private void addModes(
      Transport transport, String memory, Found memoryClaim, List<ProbeMode> into) {
    for (Sync sync : Sync.values()) {
      Found found = memoryClaim.and(sync == Sync.NATIVE ? timelines() : able());
      into.add(new ProbeMode(transport, memory, sync, found.claim(), found.reason()));
    }
  }

  /** What every mode needs. */
  private Found able() {
    for (PhysicalDevice device : List.of(from, to)) {
      if (!device.facts().obstacle().isEmpty()) {
        return missing(device, device.facts().obstacle());
      }
    }
    return new Found(Claim.CLAIMED, "");
  }

  private Found memory(HandleType type) {
    Sharing exports = type.sharing(from.facts());
    Sharing imports = type.sharing(to.facts());
    if (!exports.exportable()) {
      return missing(from, exports.detail());
    }
    if (!imports.importable()) {
      return missing(to, imports.detail());
    }
    Found found = new Found(Claim.CLAIMED, exports.source());
    return (type == HandleType.OPAQUE_FD ? found.and(opaqueHandles()) : found).and(able());
  }

  private Found hostMemory() {
    for (PhysicalDevice device : List.of(from, to)) {
      if (!device.facts().hostMemory().importable()) {
        return missing(device, device.facts().hostMemory().detail());
      }
    }
    return new Found(Claim.CLAIMED, to.facts().hostMemory().source()).and(able());
  }

  /** Both ways, since a hop goes there and back. */
  private Found timelines() {
    for (PhysicalDevice device : List.of(from, to)) {
      if (!device.facts().timeline().bothWays()) {
        return missing(device, device.facts().timeline().detail());
      }
    }
    return new Found(Claim.CLAIMED, to.facts().timeline().source())
        .and(opaqueHandles())
        .and(able());
  }

  private Found opaqueHandles() {
    if (!from.facts().driverUuid().equals(to.facts().driverUuid())) {
      return new Found(Claim.MISSING, "OPAQUE_FD handles do not go from one driver to another");
    }
    return from.facts().deviceUuid().equals(to.facts().deviceUuid())
        ? new Found(Claim.CLAIMED, "")
        : new Found(Claim.UNSPECIFIED, "OPAQUE_FD handles between devices of one driver");
  }

  private static Found missing(PhysicalDevice device, String why) {
    return new Found(Claim.MISSING, device.id() + ": " + why);
  }
}
