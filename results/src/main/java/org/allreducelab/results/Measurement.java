package org.allreducelab.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one fork: every sample as a histogram, and what JMH reported.
 *
 * <p>Score and allocation are taken from JMH's own JSON, so the run record and {@code jmh.json}
 * cannot disagree.
 */
public final class Measurement {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String ALLOCATION_METRIC = "gc.alloc.rate.norm";

  private final Histogram latencyNs;
  private final Map<String, Histogram> phases;
  private final String jmhJson;
  private final LatencySummary latency;
  private final Score score;
  private final @Nullable Double allocatedBytesPerOp;

  private Measurement(
      Histogram latencyNs, Map<String, Histogram> phases, String jmhJson, JsonNode entry) {
    this.latencyNs = latencyNs;
    this.phases = phases;
    this.jmhJson = jmhJson;
    this.latency = LatencySummary.of(latencyNs);
    this.score = scoreOf(entry);
    this.allocatedBytesPerOp = least(entry.at("/secondaryMetrics").path(ALLOCATION_METRIC));
  }

  /**
   * Takes the result of one fork.
   *
   * @param latencyNs all samples in nanoseconds; copied
   * @param jmhJson what JMH's JSON format writes for the fork: an array of one entry
   * @throws IllegalArgumentException if the histogram is empty or the text is not such an array
   */
  public static Measurement of(Histogram latencyNs, String jmhJson) {
    return new Measurement(latencyNs.copy(), Map.of(), jmhJson, onlyEntry(jmhJson));
  }

  /**
   * The same with further histograms of the fork, of nanoseconds.
   *
   * @param further by name, in the alphabet of {@link Tag} without dots; copied; empty ones are
   *     left out
   * @throws IllegalArgumentException if a name has other characters
   */
  public Measurement withPhases(Map<String, Histogram> further) {
    Map<String, Histogram> copies = new LinkedHashMap<>();
    further.forEach(
        (name, histogram) -> {
          if (Tag.require("phase", name).contains(".")) {
            throw new IllegalArgumentException("phase '" + name + "' may hold no dot");
          }
          if (histogram.getTotalCount() > 0) {
            copies.put(name, histogram.copy());
          }
        });
    return new Measurement(latencyNs, copies, jmhJson, onlyEntry(jmhJson));
  }

  /** A copy of all samples, nanoseconds. */
  public Histogram latencyNs() {
    return latencyNs.copy();
  }

  /** Further histograms by name, nanoseconds. */
  public Map<String, Histogram> phasesNs() {
    return Collections.unmodifiableMap(phases);
  }

  /** The text JMH wrote: a JSON array of one entry. */
  public String jmhJson() {
    return jmhJson;
  }

  /** Percentiles of all samples. */
  public LatencySummary latency() {
    return latency;
  }

  /** JMH's score of the fork. */
  public Score score() {
    return score;
  }

  /**
   * Bytes allocated per operation in the iteration that allocated least, if JMH's gc profiler was
   * on, else null. JMH counts what the fork does beside the operation too: the verification at the
   * end falls into its last iteration.
   */
  public @Nullable Double allocatedBytesPerOp() {
    return allocatedBytesPerOp;
  }

  private static @Nullable Double least(JsonNode metric) {
    Double least = number(metric);
    for (JsonNode fork : metric.path("rawData")) {
      for (JsonNode iteration : fork) {
        least = least == null ? iteration.asDouble() : Math.min(least, iteration.asDouble());
      }
    }
    return least;
  }

  private static JsonNode onlyEntry(String json) {
    JsonNode entries;
    try {
      entries = MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JMH's JSON: " + e.getOriginalMessage(), e);
    }
    if (!entries.isArray() || entries.size() != 1) {
      throw new IllegalArgumentException(
          "expected JMH's JSON of one benchmark, an array of one entry; got "
              + (entries.isArray() ? entries.size() + " entries" : "no array"));
    }
    return entries.get(0);
  }

  private static Score scoreOf(JsonNode entry) {
    JsonNode metric = entry.path("primaryMetric");
    Double value = number(metric);
    if (value == null || !entry.hasNonNull("mode") || !metric.hasNonNull("scoreUnit")) {
      throw new IllegalArgumentException(
          "JMH's entry lacks mode, primaryMetric.score or primaryMetric.scoreUnit");
    }
    JsonNode error = metric.path("scoreError"); // JMH writes "NaN" for fewer than 3 measurements
    return new Score(
        entry.get("mode").asText(),
        value,
        error.isNumber() ? error.asDouble() : null,
        metric.get("scoreUnit").asText());
  }

  private static @Nullable Double number(JsonNode metric) {
    JsonNode score = metric.path("score");
    return score.isNumber() ? score.asDouble() : null;
  }
}
