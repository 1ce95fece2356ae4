package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The suite that was run and the settings every case shares.
 *
 * @param name name of the suite, in the alphabet of {@link Tag}
 * @param seed seed of the test data and of the shuffled order of (case, fork)
 * @param forks forks per case, ≥ 1
 * @param warmup discarded iterations of each fork
 * @param measurement measured iterations of each fork
 * @param options further settings in force, by option name, for instance {@code deadline} → {@code
 *     10s}
 */
public record SuiteInfo(
    String name,
    long seed,
    int forks,
    IterationPlan warmup,
    IterationPlan measurement,
    Map<String, String> options) {

  /**
   * @throws IllegalArgumentException if a name leaves the alphabet or there is no fork
   */
  public SuiteInfo {
    Tag.require("suite name", requireNonNull(name, "name"));
    requireNonNull(warmup, "warmup");
    requireNonNull(measurement, "measurement");
    requireNonNull(options, "options").keySet().forEach(key -> Tag.require("option name", key));
    options = Collections.unmodifiableMap(new TreeMap<>(options));
    if (forks < 1) {
      throw new IllegalArgumentException("forks must be at least 1, not " + forks);
    }
  }
}
