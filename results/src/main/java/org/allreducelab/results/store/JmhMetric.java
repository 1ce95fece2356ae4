package org.allreducelab.results.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One metric of a benchmark in JMH's JSON: the measurements of each fork and how they become a
 * score.
 *
 * <p>JMH does not write whether a score is a mean, a sum or an extreme. A mean has a confidence
 * interval or none at all (NaN); the others repeat the score as both ends. Sum, maximum and minimum
 * are then told apart by the measurements; where these cannot tell either (one measurement, or
 * zeros), the metric is taken for a sum, which is what JMH's own profilers count with.
 *
 * @param unit unit of the score
 * @param histogram whether a measurement is a list of (value, count) pairs, as in sampling mode
 * @param policies how the score may be formed, given what was seen
 * @param forks the measurements of each fork: an array with one element per iteration
 */
record JmhMetric(String unit, boolean histogram, Set<Policy> policies, List<JsonNode> forks) {
  private static final double CONFIDENCE = 0.999;
  private static final double[] PERCENTILES = {
    0, 50, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 100
  };
  private static final String RAW = "rawData";
  private static final String RAW_HISTOGRAM = "rawDataHistogram";

  /** How measurements become a score; in order of preference. */
  enum Policy {
    MEAN,
    SUM,
    MAX,
    MIN;

    double apply(WeightedSample sample) {
      return switch (this) {
        case MEAN -> sample.mean();
        case SUM -> sample.sum();
        case MAX -> sample.max();
        case MIN -> sample.min();
      };
    }
  }

  JmhMetric {
    policies = Set.copyOf(policies);
    forks = List.copyOf(forks);
  }

  /**
   * Reads a metric.
   *
   * @throws IllegalArgumentException if it has no score unit or no measurements
   */
  static JmhMetric read(String name, JsonNode metric) {
    boolean histogram = metric.has(RAW_HISTOGRAM);
    JsonNode raw = metric.path(histogram ? RAW_HISTOGRAM : RAW);
    if (!raw.isArray() || !metric.path("scoreUnit").isTextual()) {
      throw new IllegalArgumentException("JMH's metric " + name + " lacks raw data or scoreUnit");
    }
    List<JsonNode> forks = new ArrayList<>();
    raw.forEach(forks::add);
    JmhMetric all =
        new JmhMetric(
            metric.get("scoreUnit").asText(), histogram, EnumSet.allOf(Policy.class), forks);
    return all.with(all.policiesOf(metric));
  }

  /**
   * The metric as one fresh fork of that many iterations reported it, with one measurement for
   * each.
   *
   * <p>A profiler may report in some iterations only, JMH counting the others as 0, or once per
   * fork, JMH writing no raw data then: the zeros, or the one score, become measurements.
   */
  JmhMetric completed(double score, int iterations) {
    if (histogram || forks.size() != 1) {
      return this;
    }
    JsonNode only = forks.get(0);
    if (only.isEmpty()) {
      return with(List.of(array().add(score)));
    }
    boolean zerosCounted =
        only.size() < iterations
            && policies.contains(Policy.MEAN)
            && near(sample().sum() / iterations, score);
    if (!zerosCounted) {
      return this;
    }
    return with(List.<JsonNode>of(withZeros(only.deepCopy(), iterations)));
  }

  /** The metric of forks that did not report it, each of so many iterations: JMH counts zeros. */
  JmhMetric unreported(List<Integer> iterations) {
    List<JsonNode> zeros = new ArrayList<>();
    for (int length : iterations) {
      zeros.add(withZeros(array(), length));
    }
    return with(zeros);
  }

  /** The number of iterations of each fork. */
  List<Integer> iterations() {
    return forks.stream().map(JsonNode::size).toList();
  }

  /**
   * This metric followed by the forks of the other.
   *
   * @throws IllegalArgumentException if the two have different units or kinds
   */
  JmhMetric plus(JmhMetric other) {
    if (!unit.equals(other.unit) || histogram != other.histogram) {
      throw new IllegalArgumentException(
          "forks of one case disagree on a metric: " + unit + " and " + other.unit);
    }
    Set<Policy> both = EnumSet.copyOf(policies);
    both.retainAll(other.policies);
    List<JsonNode> joined = new ArrayList<>(forks);
    joined.addAll(other.forks);
    return new JmhMetric(unit, histogram, both.isEmpty() ? policies : both, joined);
  }

  /** The metric of the forks at these positions. */
  JmhMetric at(List<Integer> positions) {
    return with(positions.stream().map(forks::get).toList());
  }

  /** All measurements of all forks. */
  WeightedSample sample() {
    WeightedSample sample = new WeightedSample();
    for (JsonNode fork : forks) {
      for (JsonNode iteration : fork) {
        if (!histogram) {
          sample.add(number(iteration), 1);
          continue;
        }
        for (JsonNode pair : iteration) {
          sample.add(number(pair.path(0)), pair.path(1).asLong());
        }
      }
    }
    return sample;
  }

  ObjectNode toJson() {
    return toJson(sample());
  }

  /** The metric in JMH's form, its statistics taken from the sample instead of the raw data. */
  ObjectNode toJson(WeightedSample sample) {
    Policy policy = EnumSet.copyOf(policies).iterator().next();
    double score = policy.apply(sample);
    boolean mean = policy == Policy.MEAN;
    double error = mean ? sample.meanError(CONFIDENCE) : Double.NaN;
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    put(json, "score", score);
    put(json, "scoreError", error);
    ArrayNode confidence = json.putArray("scoreConfidence");
    add(confidence, mean ? score - error : score);
    add(confidence, mean ? score + error : score);
    ObjectNode percentiles = json.putObject("scorePercentiles");
    for (double p : PERCENTILES) {
      put(percentiles, String.valueOf(p), sample.percentile(p));
    }
    json.put("scoreUnit", unit);
    json.putArray(histogram ? RAW_HISTOGRAM : RAW).addAll(forks);
    return json;
  }

  /** JMH writes NaN and the infinities, which JSON lacks, as strings. */
  static double number(JsonNode node) {
    return node.isNumber() ? node.asDouble() : Double.NaN;
  }

  private Set<Policy> policiesOf(JsonNode metric) {
    boolean mean =
        metric.path("scoreError").isNumber() || !metric.at("/scoreConfidence/0").isNumber();
    if (mean) {
      return EnumSet.of(Policy.MEAN);
    }
    double score = number(metric.path("score"));
    WeightedSample sample = sample();
    Set<Policy> fitting = EnumSet.of(Policy.SUM, Policy.MAX, Policy.MIN);
    fitting.removeIf(policy -> !near(policy.apply(sample), score));
    return fitting.isEmpty() ? EnumSet.of(Policy.SUM) : fitting;
  }

  private JmhMetric with(Set<Policy> seen) {
    return new JmhMetric(unit, histogram, seen, forks);
  }

  private JmhMetric with(List<JsonNode> changed) {
    return new JmhMetric(unit, histogram, policies, changed);
  }

  private static boolean near(double a, double b) {
    return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  }

  private static void put(ObjectNode json, String name, double value) {
    if (Double.isFinite(value)) {
      json.put(name, value);
    } else {
      json.put(name, text(value));
    }
  }

  private static void add(ArrayNode json, double value) {
    if (Double.isFinite(value)) {
      json.add(value);
    } else {
      json.add(text(value));
    }
  }

  private static String text(double value) {
    return Double.isNaN(value) ? "NaN" : value > 0 ? "+INF" : "-INF";
  }

  private static ArrayNode withZeros(ArrayNode values, int length) {
    while (values.size() < length) {
      values.add(0.0);
    }
    return values;
  }

  private static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }
}
