package org.allreducelab.results.store;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.allreducelab.results.Tag;

/**
 * One benchmark of a JMH report, its forks run one at a time and put together here.
 *
 * <p>Written in JMH's form with one field more, {@value #EXTRA}: the case and, for each list of raw
 * data, the fork it came from. Readers of JMH's JSON skip fields that they do not know.
 *
 * @param caseId id of the case in the run record
 * @param forks fork number of each list of raw data
 * @param head JMH's fields but the metrics, as the first fork wrote them
 * @param primary the metric that is the benchmark's score
 * @param secondary further metrics by name
 */
record JmhEntry(
    String caseId,
    List<Integer> forks,
    ObjectNode head,
    JmhMetric primary,
    Map<String, JmhMetric> secondary) {
  private static final String EXTRA = "allreduceLab";
  private static final String PRIMARY = "primaryMetric";
  private static final String SECONDARY = "secondaryMetrics";

  /** Secondary metrics that JMH derives from a sampled primary one, and their percentiles. */
  private static final Map<String, Double> DERIVED =
      Map.of(
          "p0.00", 0.0, "p0.50", 50.0, "p0.90", 90.0, "p0.95", 95.0, "p0.99", 99.0, "p0.999", 99.9,
          "p0.9999", 99.99, "p1.00", 100.0);

  /**
   * Takes the entry that JMH wrote for one fork.
   *
   * @throws IllegalArgumentException if a field is missing, there is not exactly one fork, or a
   *     parameter or metric leaves the alphabet of {@link Tag}
   */
  static JmhEntry ofFork(String caseId, int fork, JsonNode json) {
    JmhEntry read = read(caseId, List.of(fork), json);
    int iterations = read.primary.iterations().get(0);
    Map<String, JmhMetric> completed = new TreeMap<>();
    read.secondary.forEach(
        (name, metric) -> {
          double score = JmhMetric.number(json.path(SECONDARY).path(name).path("score"));
          completed.put(name, metric.completed(score, iterations));
        });
    return new JmhEntry(caseId, read.forks, read.head, read.primary, completed);
  }

  /**
   * Reads an entry that {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException if a field is missing or the numbers of forks disagree
   */
  static JmhEntry read(JsonNode json) {
    JsonNode extra = json.path(EXTRA);
    if (!extra.path("case").isTextual() || !extra.path("forks").isArray()) {
      throw new IllegalArgumentException("an entry lacks " + EXTRA + ".case or .forks");
    }
    List<Integer> forks = new ArrayList<>();
    extra.path("forks").forEach(fork -> forks.add(fork.asInt()));
    return read(extra.path("case").asText(), forks, json);
  }

  private static JmhEntry read(String caseId, List<Integer> forks, JsonNode json) {
    if (!json.path("benchmark").isTextual() || !json.path("mode").isTextual()) {
      throw new IllegalArgumentException("JMH's entry lacks benchmark or mode");
    }
    ObjectNode head = json.deepCopy();
    head.remove(List.of(PRIMARY, SECONDARY, EXTRA));
    head.path("params")
        .properties()
        .forEach(
            param -> {
              Tag.require("parameter name", param.getKey());
              Tag.require("value of parameter " + param.getKey(), param.getValue().asText());
            });
    Map<String, JmhMetric> secondary = new TreeMap<>();
    json.path(SECONDARY)
        .properties()
        .forEach(
            metric ->
                secondary.put(
                    Tag.require("metric name", metric.getKey()),
                    JmhMetric.read(metric.getKey(), metric.getValue())));
    JmhMetric primary = JmhMetric.read(PRIMARY, json.path(PRIMARY));
    requireForks(forks.size(), PRIMARY, primary);
    secondary.forEach((name, metric) -> requireForks(forks.size(), name, metric));
    return new JmhEntry(caseId, forks, head, primary, secondary);
  }

  private static void requireForks(int forks, String name, JmhMetric metric) {
    if (metric.forks().size() != forks) {
      throw new IllegalArgumentException(
          "metric " + name + " has raw data of " + metric.forks().size() + " forks, not " + forks);
    }
  }

  /** What JMH tells benchmarks apart by: name, mode and parameters. */
  List<JsonNode> key() {
    return List.of(head.path("benchmark"), head.path("mode"), head.path("params"));
  }

  /**
   * This entry followed by another one's forks.
   *
   * @throws IllegalArgumentException if the two are different benchmarks, or share a fork
   */
  JmhEntry plus(JmhEntry other) {
    if (!key().equals(other.key())) {
      throw new IllegalArgumentException(
          "forks of case "
              + caseId
              + " are of different JMH benchmarks: "
              + key()
              + ", "
              + other.key());
    }
    if (forks.stream().anyMatch(other.forks::contains)) {
      throw new IllegalArgumentException("case " + caseId + ": fork " + other.forks + " twice");
    }
    List<Integer> allForks = new ArrayList<>(forks);
    allForks.addAll(other.forks);
    Set<String> names = new TreeSet<>(secondary.keySet());
    names.addAll(other.secondary.keySet());
    Map<String, JmhMetric> all = new TreeMap<>();
    for (String name : names) {
      JmhMetric mine = secondary.get(name);
      JmhMetric theirs = other.secondary.get(name);
      if (mine == null) {
        mine = requireNonNull(theirs).unreported(primary.iterations());
      } else if (theirs == null) {
        theirs = mine.unreported(other.primary.iterations());
      }
      all.put(name, mine.plus(requireNonNull(theirs)));
    }
    return new JmhEntry(caseId, allForks, head, primary.plus(other.primary), all);
  }

  /** The entry without the forks that are not named; no forks may remain. */
  JmhEntry only(Set<Integer> kept) {
    List<Integer> positions =
        IntStream.range(0, forks.size()).filter(i -> kept.contains(forks.get(i))).boxed().toList();
    if (positions.size() == forks.size()) {
      return this;
    }
    Map<String, JmhMetric> rest = new TreeMap<>(secondary);
    rest.replaceAll((name, metric) -> metric.at(positions));
    List<Integer> restForks = positions.stream().map(forks::get).toList();
    return new JmhEntry(caseId, restForks, head, primary.at(positions), rest);
  }

  ObjectNode toJson() {
    ObjectNode json = head.deepCopy();
    json.put("forks", forks.size());
    json.set(PRIMARY, primary.toJson());
    ObjectNode metrics = json.putObject(SECONDARY);
    secondary.forEach((name, metric) -> metrics.set(name, secondaryJson(name, metric)));
    ObjectNode extra = json.putObject(EXTRA);
    extra.put("case", caseId);
    ArrayNode numbers = extra.putArray("forks");
    forks.forEach(numbers::add);
    return json;
  }

  private ObjectNode secondaryJson(String name, JmhMetric metric) {
    Double percentile = primary.histogram() ? DERIVED.get(name) : null;
    if (percentile == null) {
      return metric.toJson();
    }
    WeightedSample derived = new WeightedSample();
    derived.add(primary.sample().percentile(percentile), 1);
    return metric.toJson(derived);
  }
}
