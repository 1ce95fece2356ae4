package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.Placement;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks share a logical device, and which of those a stream.
 *
 * @param placement how ranks lie on devices
 * @param devices the physical device of each rank
 * @param queues how many streams the ranks of a logical device share, or null for one each
 */
record Layout(Placement placement, List<PhysicalDevice> devices, @Nullable Integer queues) {
  Layout {
    devices = List.copyOf(devices);
  }

  /** Whether ranks may be spread over several logical devices. */
  boolean apart() {
    return placement == Placement.LOGICAL || placement == Placement.PHYSICAL;
  }

  /**
   * The ranks of each logical device. With placement {@code physical} those of one physical device
   * share a logical one, since several would take turns on it, unless it is the only device.
   */
  List<List<Integer>> ranksOfDevices() {
    boolean several = devices.stream().distinct().count() > 1;
    boolean share = !apart() || (placement == Placement.PHYSICAL && several);
    Map<Object, List<Integer>> byDevice = new LinkedHashMap<>();
    for (int rank = 0; rank < devices.size(); rank++) {
      Object key = share ? devices.get(rank) : (Object) rank;
      byDevice.computeIfAbsent(key, k -> new ArrayList<>()).add(rank);
    }
    return List.copyOf(byDevice.values());
  }

  /** The most ranks that share a logical device. */
  int mostRanks() {
    return ranksOfDevices().stream().mapToInt(List::size).max().orElse(0);
  }

  /** How many streams the ranks of one logical device make. */
  int streams(int ranksOfDevice) {
    if (placement == Placement.SINGLE_QUEUE) {
      return 1;
    }
    return queues == null ? ranksOfDevice : Math.min(queues, ranksOfDevice);
  }

  /** How many streams the group has. */
  int streams() {
    return ranksOfDevices().stream().mapToInt(ranks -> streams(ranks.size())).sum();
  }
}
