package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A device that took part.
 *
 * @param id endpoint id, for instance {@code vulkan:0}
 * @param name name of the device
 * @param driver driver and its version
 * @param identity UUID or PCI address, which outlives a change of the endpoint order; if it has one
 */
public record DeviceInfo(String id, String name, String driver, @Nullable String identity) {
  public DeviceInfo {
    requireNonNull(id, "id");
    requireNonNull(name, "name");
    requireNonNull(driver, "driver");
  }
}
