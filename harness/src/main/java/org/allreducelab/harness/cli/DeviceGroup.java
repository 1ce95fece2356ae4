package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;

/**
 * Devices that ranks are dealt to, round-robin.
 *
 * @param backend the backend they all belong to; where they belong to several, those together
 * @param devices in dealing order, repeated where the user gave a device several ranks
 * @param fixedRanks the number of ranks that {@code vulkan:0x4} fixes, or 0 for any
 */
public record DeviceGroup(Backend backend, List<Endpoint> devices, int fixedRanks) {
  public DeviceGroup {
    devices = List.copyOf(devices);
    if (devices.isEmpty()) {
      throw new IllegalArgumentException("a group needs a device");
    }
  }

  /**
   * Reads one value of {@code --devices}.
   *
   * @throws UsageException if it is malformed, ambiguous or unknown
   * @throws org.allreducelab.backends.UnavailableException if it is not here
   */
  public static List<DeviceGroup> parse(Inventory inventory, String text) {
    return new DeviceParser(inventory).parse(text);
  }

  /** The endpoint of each rank. */
  public List<Endpoint> endpoints(int ranks) {
    List<Endpoint> endpoints = new ArrayList<>(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      endpoints.add(devices.get(rank % devices.size()));
    }
    return endpoints;
  }

  /** The endpoint id of each rank. */
  public List<String> endpointIds(int ranks) {
    return endpoints(ranks).stream().map(Endpoint::id).toList();
  }

  /** As users type it, without the number of ranks: {@code cpu}, {@code vulkan:0,vulkan:1}. */
  public String label() {
    return devices.stream().map(Endpoint::id).distinct().collect(Collectors.joining(","));
  }

  /** As users type it, so that ranks lie where they lie here. */
  public String option() {
    if (fixedRanks == 0) {
      return label();
    }
    List<String> terms = new ArrayList<>();
    for (int from = 0, to; from < devices.size(); from = to) {
      String id = devices.get(from).id();
      to = from + 1;
      while (to < devices.size() && devices.get(to).id().equals(id)) {
        to++;
      }
      terms.add(id + "x" + (to - from));
    }
    return String.join(",", terms);
  }
}
