package org.allreducelab.harness.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.staging.StagingPolicies;
import org.allreducelab.harness.cli.ForcedChoices;
import org.allreducelab.harness.probes.ProbeCache;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.ResultKey;
import org.allreducelab.results.Tag;

/**
 * One all-reduce to measure: everything that decides its bytes and its speed.
 *
 * <p>It crosses from the lab into the forked JVM as JMH parameters, all of them {@link ParamText},
 * so that {@code jmh.json} shows the whole key.
 *
 * @param devices endpoint ids; ranks go round-robin over them
 * @param ranks number of ranks, ≥ 1
 * @param algorithm name with parameters, as the registry reads it
 * @param count elements per rank, ≥ 0
 * @param precision the arithmetic
 * @param granule chunk borders are multiples of this many elements
 * @param forced what is not left to the backend
 * @param inPlace whether RECV is input and output
 * @param policy name of the staging policy
 * @param deadline of every host wait
 * @param inflight graphs enqueued back to back before one wait, ≥ 1
 * @param graph all-reduces in a row that are recorded as one, ≥ 1
 * @param role whether it competes or is a yardstick; a bare one is no all-reduce, but a {@link
 *     BareCopy}
 */
record BenchCase(
    List<String> devices,
    int ranks,
    String algorithm,
    int count,
    Precision precision,
    int granule,
    ForcedChoices forced,
    boolean inPlace,
    String policy,
    Duration deadline,
    int inflight,
    int graph,
    Role role)
    implements ForkCase {

  /** What a combine may take on a software driver; high, since it only decides a word. */
  private static final long SLOW_COMBINE_NS = 20_000;

  /** What a byte of a rank's vector may take there. */
  private static final long SLOW_BYTE_NS = 1;

  /** The text of a choice that is left to the backend. */
  static final String AUTO = "auto";

  /**
   * @throws IllegalArgumentException if {@code inflight} or {@code graph} is out of range, or more
   *     than 1 in place
   */
  BenchCase {
    devices = List.copyOf(devices);
    if (inflight < 1) {
      throw new IllegalArgumentException("inflight must be at least 1, not " + inflight);
    }
    if (graph < 1) {
      throw new IllegalArgumentException("graph must be at least 1, not " + graph);
    }
    if (inPlace && inflight * graph > 1) {
      throw new IllegalArgumentException(
          "in place, one all-reduce at a time, without inflight and graph: results fed back as inputs"
              + " overflow to infinity after a few dozen and then time another code path");
    }
  }

  /** Size of one rank's vector. */
  @Override
  public long bytes() {
    return (long) count * precision.element().bytes();
  }

  @Override
  public Class<?> benchmarkClass() {
    return AllReduceBenchmark.class;
  }

  @Override
  public String benchmarkMethod() {
    return inPlace ? "inPlace" : "outOfPlace";
  }

  @Override
  public int operations() {
    return inflight * graph;
  }

  @Override
  public long recordedCombines() {
    long once = 0;
    for (Round round : schedule().rounds()) {
      once += round.combines().size();
    }
    return once * graph;
  }

  @Override
  public Duration slowInvocation() {
    long bytesNs = SLOW_BYTE_NS * graph * ranks * bytes();
    return Duration.ofNanos(SLOW_COMBINE_NS * recordedCombines() + bytesNs).multipliedBy(inflight);
  }

  @Override
  public Duration runTime(ForkSettings settings) {
    return settings.warmup().total().plus(settings.measurement().total());
  }

  @Override
  public CaseRecord planned() {
    ResultKey key = ResultKey.of(algorithm, ranks, count, precision.name()).withGranule(granule);
    CaseRecord planned =
        CaseRecord.planned(id(), benchmark(), devices, key, bytes(), inPlace, false);
    return role == Role.CONTENDER ? planned : planned.asBaseline();
  }

  Operands operands() {
    return inPlace ? Operands.IN_PLACE : Operands.OUT_OF_PLACE;
  }

  /** The same devices and size as a yardstick: a copy on rank 0, out of place, never in a graph. */
  BenchCase asBare() {
    return new BenchCase(
        devices,
        ranks,
        ResultKey.BARE_COPY,
        count,
        precision,
        granule,
        forced,
        false,
        policy,
        deadline,
        inflight,
        1,
        Role.BARE);
  }

  /** The same all-reduce as a yardstick, with all ranks in one queue. */
  BenchCase asSingleQueue() {
    return new BenchCase(
        devices,
        ranks,
        algorithm,
        count,
        precision,
        granule,
        forced.onSingleQueue(),
        inPlace,
        policy,
        deadline,
        inflight,
        graph,
        Role.SINGLE_QUEUE);
  }

  /** What the table calls it. */
  String title() {
    return switch (role) {
      case CONTENDER -> algorithm;
      case SINGLE_QUEUE -> algorithm + ", single queue";
      case BARE -> "bare dispatch + wait";
    };
  }

  Schedule schedule() {
    if (role == Role.BARE) {
      return BareCopy.schedule(ranks, count);
    }
    return Algorithms.named(algorithm).plan(ranks, count, granule);
  }

  /** The spec of its group; what does not concern its bytes can still be added. */
  GroupSpec.Builder groupSpec() {
    List<String> endpointOfRank =
        IntStream.range(0, ranks).mapToObj(r -> devices.get(r % devices.size())).toList();
    return forced
        .applyTo(GroupSpec.builder(endpointOfRank))
        .precision(precision)
        .capacityBytes(bytes())
        .policy(StagingPolicies.named(policy))
        .deadline(deadline)
        .probes(ProbeCache.ofUser());
  }

  /**
   * Identifies the case within a run: the devices, the ranks, the algorithm and the size, then
   * whatever differs from the default.
   */
  @Override
  public String id() {
    List<String> parts = new ArrayList<>();
    parts.add(String.join("+", devices));
    parts.add("n" + ranks);
    parts.add(algorithm);
    parts.add(bytes() + "B");
    parts.add(precision.name());
    if (granule != Algorithm.DEFAULT_GRANULE) {
      parts.add("g" + granule);
    }
    parts.addAll(forced.idParts());
    if (inPlace) {
      parts.add("in-place");
    }
    if (inflight > 1) {
      parts.add("x" + inflight);
    }
    if (graph > 1) {
      parts.add("graph" + graph);
    }
    return Tag.from(parts.toArray(String[]::new)).text();
  }

  /** The case as JMH parameters. */
  @Override
  public Map<String, String> params() {
    Map<String, String> params = new LinkedHashMap<>();
    params.put("devices", ParamText.encode(String.join(",", devices)));
    params.put("ranks", Integer.toString(ranks));
    params.put("algorithm", ParamText.encode(algorithm));
    params.put("bytes", Long.toString(bytes()));
    params.put("precision", precision.name());
    params.put("granule", Integer.toString(granule));
    for (String name : ForcedChoices.NAMES) {
      params.put(parameter(name), forced.labels().getOrDefault(name, AUTO));
    }
    params.put("inPlace", Boolean.toString(inPlace));
    params.put("policy", ParamText.encode(policy));
    params.put("deadlineNs", Long.toString(deadline.toNanos()));
    params.put("inflight", Integer.toString(inflight));
    params.put("graph", Integer.toString(graph));
    params.put("role", role.label());
    return Collections.unmodifiableMap(params);
  }

  /**
   * The case that {@link #params()} came from.
   *
   * @throws IllegalArgumentException if a value cannot be read
   */
  static BenchCase ofParams(Map<String, String> params) {
    Function<String, String> get = ParamText.of(params);
    Precision precision = Precision.preset(get.apply("precision"));
    return new BenchCase(
        List.of(ParamText.decode(get.apply("devices")).split(",", -1)),
        Integer.parseInt(get.apply("ranks")),
        ParamText.decode(get.apply("algorithm")),
        Math.toIntExact(Long.parseLong(get.apply("bytes")) / precision.element().bytes()),
        precision,
        Integer.parseInt(get.apply("granule")),
        forced(get),
        Boolean.parseBoolean(get.apply("inPlace")),
        ParamText.decode(get.apply("policy")),
        Duration.ofNanos(Long.parseLong(get.apply("deadlineNs"))),
        Integer.parseInt(get.apply("inflight")),
        Integer.parseInt(get.apply("graph")),
        Role.named(get.apply("role")));
  }

  /** A choice's JMH parameter, which is a Java field. */
  private static String parameter(String choice) {
    return choice.equals("queue-family") ? "queueFamily" : choice;
  }

  private static ForcedChoices forced(Function<String, String> get) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (String name : ForcedChoices.NAMES) {
      labels.put(name, get.apply(parameter(name)));
    }
    labels.values().removeIf(AUTO::equals);
    return ForcedChoices.of(labels);
  }
}
