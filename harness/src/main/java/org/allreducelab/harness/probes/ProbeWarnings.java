package org.allreducelab.harness.probes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;

/** What other commands say of modes that the doctor found bad. */
public final class ProbeWarnings {
  private final ProbeCache cache;

  public ProbeWarnings(ProbeCache cache) {
    this.cache = cache;
  }

  /**
   * A line for each bad mode between the ranks of a group.
   *
   * @param endpointOfRank the endpoint of each rank
   * @param transport of the group, or null for any
   * @param sync of the group, or null for any
   */
  public List<String> of(
      List<Endpoint> endpointOfRank, @Nullable Transport transport, @Nullable Sync sync) {
    List<String> lines = new ArrayList<>();
    Set<Endpoint> distinct = new LinkedHashSet<>(endpointOfRank);
    for (Endpoint from : distinct) {
      for (Endpoint to : distinct) {
        // A rank that is alone on its device has no peer there.
        if (!from.equals(to) || Collections.frequency(endpointOfRank, from) > 1) {
          cache.read(from, to).modes().stream()
              .filter(ProbedMode::bad)
              .filter(mode -> transport == null || mode.transport() == transport)
              .filter(mode -> sync == null || mode.sync() == sync)
              .map(mode -> line(from, to, mode))
              .forEach(lines::add);
        }
      }
    }
    return lines;
  }

  private static String line(Endpoint from, Endpoint to, ProbedMode mode) {
    return "lab doctor found "
        + from.id()
        + " → "
        + to.id()
        + ", "
        + mode.memory()
        + ", "
        + mode.sync().label()
        + " bad on "
        + mode.probedAt()
        + ": "
        + mode.explanation();
  }
}
