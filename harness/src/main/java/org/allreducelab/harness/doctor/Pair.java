package org.allreducelab.harness.doctor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.harness.cli.DeviceGroup;

/**
 * A directed pair of endpoints.
 *
 * @param backend of both
 * @param from who owns the bytes
 * @param to who reads them; the same endpoint for two logical devices on one
 */
record Pair(Backend backend, Endpoint from, Endpoint to) {

  /** For people. */
  String label() {
    return from.id() + " → " + to.id();
  }

  /** All pairs within each group, each once. */
  static List<Pair> of(List<DeviceGroup> groups) {
    Set<Pair> pairs = new LinkedHashSet<>();
    for (DeviceGroup group : groups) {
      for (Endpoint from : new LinkedHashSet<>(group.devices())) {
        for (Endpoint to : new LinkedHashSet<>(group.devices())) {
          pairs.add(new Pair(group.backend(), from, to));
        }
      }
    }
    return new ArrayList<>(pairs);
  }
}
