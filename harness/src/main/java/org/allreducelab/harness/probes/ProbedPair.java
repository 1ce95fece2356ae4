package org.allreducelab.harness.probes;

import java.util.List;
import org.allreducelab.backends.Endpoint;

/**
 * What is known of a directed pair of endpoints, as its cache file holds it.
 *
 * @param schemaVersion {@link #SCHEMA_VERSION}
 * @param from who owns the bytes
 * @param to who reads them
 * @param modes the modes that were tried
 */
public record ProbedPair(int schemaVersion, Side from, Side to, List<ProbedMode> modes) {
  /**
   * Grows when the form of the file changes, or when a probe tries more than it did: 3 since both
   * sides write and read at once.
   */
  public static final int SCHEMA_VERSION = 3;

  public ProbedPair {
    modes = List.copyOf(modes);
  }

  /**
   * An endpoint as far as a verdict depends on it. Not its id: that changes when a device is added.
   *
   * @param backend the first part of its id
   * @param device its name
   * @param driver driver name and version
   * @param identity what tells it from an equal one
   */
  public record Side(String backend, String device, String driver, String identity) {
    static Side of(Endpoint endpoint) {
      return new Side(
          endpoint.id().split(":", 2)[0],
          endpoint.device(),
          endpoint.driver(),
          endpoint.identity());
    }
  }

  /** A pair of which nothing is known. */
  public static ProbedPair unknown(Endpoint from, Endpoint to) {
    return new ProbedPair(SCHEMA_VERSION, Side.of(from), Side.of(to), List.of());
  }

  /** The same pair with these modes. */
  public ProbedPair with(List<ProbedMode> known) {
    return new ProbedPair(schemaVersion, from, to, known);
  }
}
