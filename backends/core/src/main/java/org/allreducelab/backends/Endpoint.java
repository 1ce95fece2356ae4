package org.allreducelab.backends;

import java.util.List;
import java.util.Map;

/**
 * A device that ranks can run on.
 *
 * @param id stable id that users type, for instance {@code cpu} or {@code vulkan:0}
 * @param device the device's own name
 * @param driver driver name and version
 * @param identity what tells this device from an equal one (UUID, PCI address); goes into records
 * @param capabilities what it can do, and why not where it cannot
 * @param properties further facts to show, in order, for instance {@code cores -> 2}
 */
public record Endpoint(
    String id,
    String device,
    String driver,
    String identity,
    List<Capability> capabilities,
    Map<String, String> properties) {
  public Endpoint {
    capabilities = List.copyOf(capabilities);
    properties = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(properties));
  }

  /** Whether the endpoint has the capability of that name. */
  public boolean can(String capability) {
    return capabilities.stream().anyMatch(c -> c.present() && c.name().equals(capability));
  }
}
