package org.allreducelab.harness.decode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.Windowed;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.staging.Capped;
import org.allreducelab.backends.staging.StagingPolicies;
import org.allreducelab.backends.staging.StagingPolicy;
import org.allreducelab.harness.bench.ForkCase;
import org.allreducelab.harness.bench.ForkSettings;
import org.allreducelab.harness.bench.ParamText;
import org.allreducelab.harness.cli.ForcedChoices;
import org.allreducelab.harness.probes.ProbeCache;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.ResultKey;
import org.allreducelab.results.Tag;
import org.jspecify.annotations.Nullable;

/**
 * A trace under a policy on a group: everything that decides its bytes and its speed.
 *
 * @param devices endpoint ids; ranks go round-robin over them
 * @param ranks number of ranks, ≥ 1
 * @param algorithm name with parameters
 * @param precision the arithmetic
 * @param granule chunk borders are multiples of this many elements
 * @param slice elements of a window in which larger messages are reduced; 0 for none
 * @param forced what is not left to the backend
 * @param policy name of the staging policy
 * @param model the model that decodes
 * @param trace the steps
 * @param engine how the engine around it behaves
 */
record DecodeCase(
    List<String> devices,
    int ranks,
    String algorithm,
    Precision precision,
    int granule,
    int slice,
    ForcedChoices forced,
    String policy,
    Model model,
    Trace trace,
    EngineModel engine)
    implements ForkCase {
  private static final String NONE = "none";

  DecodeCase {
    devices = List.copyOf(devices);
  }

  @Override
  public Class<?> benchmarkClass() {
    return DecodeBenchmark.class;
  }

  @Override
  public String benchmarkMethod() {
    return "trace";
  }

  /** Bytes of the largest message. */
  @Override
  public long bytes() {
    return (long) model.count(trace.largestTokens()) * precision.element().bytes();
  }

  /** As for a bench, and the inputs once more by message, with a second staging buffer. */
  @Override
  public int vectorsPerRank() {
    return 16;
  }

  /** What runs: the algorithm, in windows where there are any. */
  Algorithm windowedAlgorithm() {
    Algorithm whole = Algorithms.named(algorithm);
    return slice == 0 ? whole : new Windowed(whole, slice);
  }

  /** The spec of its group; {@code capacityBytes} is that of SEND and RECV. */
  GroupSpec.Builder groupSpec(long capacityBytes) {
    List<String> endpointOfRank =
        IntStream.range(0, ranks).mapToObj(r -> devices.get(r % devices.size())).toList();
    StagingPolicy staging = StagingPolicies.named(policy);
    return forced
        .applyTo(GroupSpec.builder(endpointOfRank))
        .precision(precision)
        .capacityBytes(capacityBytes)
        .policy(
            engine.memoryCapBytes() == Long.MAX_VALUE
                ? staging
                : new Capped(staging, engine.memoryCapBytes()))
        .deadline(engine.deadline())
        .inactiveRanks(engine.inactiveRanks())
        .driverModel(engine.driverModel())
        .probes(ProbeCache.ofUser());
  }

  @Override
  public Duration runTime(ForkSettings settings) {
    int passes = settings.measurement().count();
    return Duration.ofNanos(engine.computeNs() * trace.steps().size() * passes);
  }

  @Override
  public CaseRecord planned() {
    ResultKey key =
        ResultKey.of(algorithm, ranks, model.count(trace.largestTokens()), precision.name())
            .withGranule(granule)
            .withSlice(slice);
    boolean emulated = engine.driverModel() != null;
    return CaseRecord.planned(id(), benchmark(), devices, key, bytes(), false, emulated);
  }

  @Override
  public String id() {
    List<String> parts = new ArrayList<>();
    parts.add(String.join("+", devices));
    parts.add("n" + ranks);
    parts.add(algorithm);
    parts.add(model.name());
    parts.add(trace.name());
    parts.add(policy);
    parts.add(precision.name());
    if (granule != Algorithm.DEFAULT_GRANULE) {
      parts.add("g" + granule);
    }
    parts.addAll(forced.idParts());
    DriverModel driver = engine.driverModel();
    if (driver != null) {
      parts.add("emulated");
    }
    return Tag.from(parts.toArray(String[]::new)).text();
  }

  @Override
  public Map<String, String> params() {
    DriverModel driver = engine.driverModel();
    Map<String, String> params = new LinkedHashMap<>();
    params.put("devices", ParamText.encode(String.join(",", devices)));
    params.put("ranks", Integer.toString(ranks));
    params.put("algorithm", ParamText.encode(algorithm));
    params.put("precision", precision.name());
    params.put("granule", Integer.toString(granule));
    params.put("slice", Integer.toString(slice));
    params.put("forced", encode(forced));
    params.put("policy", ParamText.encode(policy));
    params.put("model", model.name());
    params.put("trace", trace.name());
    params.put("steps", trace.encode());
    params.put("await", engine.await().label());
    params.put("computeNs", Long.toString(engine.computeNs()));
    params.put("driverModel", driver == null ? NONE : Double.toString(driver.nsPerMib()));
    params.put(
        "inactive",
        engine.inactiveRanks().isEmpty()
            ? NONE
            : new TreeSet<>(engine.inactiveRanks())
                .stream().map(String::valueOf).collect(Collectors.joining("_")));
    params.put("memoryCapBytes", Long.toString(engine.memoryCapBytes()));
    params.put("rate", Double.toString(engine.rate()));
    params.put("deadlineNs", Long.toString(engine.deadline().toNanos()));
    return params;
  }

  private static String encode(ForcedChoices forced) {
    return forced.labels().isEmpty()
        ? NONE
        : forced.labels().entrySet().stream()
            .map(e -> e.getKey() + "." + e.getValue())
            .collect(Collectors.joining("_"));
  }

  /** The case that {@link #params()} came from. */
  static DecodeCase ofParams(Map<String, String> params) {
    Function<String, String> get = ParamText.of(params);
    return new DecodeCase(
        List.of(ParamText.decode(get.apply("devices")).split(",", -1)),
        Integer.parseInt(get.apply("ranks")),
        ParamText.decode(get.apply("algorithm")),
        Precision.preset(get.apply("precision")),
        Integer.parseInt(get.apply("granule")),
        Integer.parseInt(get.apply("slice")),
        forced(get.apply("forced")),
        ParamText.decode(get.apply("policy")),
        Model.named(get.apply("model")),
        Trace.decode(get.apply("trace"), get.apply("steps")),
        new EngineModel(
            Await.named(get.apply("await")),
            Long.parseLong(get.apply("computeNs")),
            driverModel(get.apply("driverModel")),
            inactive(get.apply("inactive")),
            Long.parseLong(get.apply("memoryCapBytes")),
            Double.parseDouble(get.apply("rate")),
            Duration.ofNanos(Long.parseLong(get.apply("deadlineNs")))));
  }

  private static ForcedChoices forced(String text) {
    Map<String, String> labels = new LinkedHashMap<>();
    if (!text.equals(NONE)) {
      for (String item : text.split("_", -1)) {
        String[] parts = item.split("\\.", 2);
        labels.put(parts[0], parts[1]);
      }
    }
    return ForcedChoices.of(labels);
  }

  private static @Nullable DriverModel driverModel(String text) {
    return text.equals(NONE) ? null : new DriverModel(Double.parseDouble(text));
  }

  private static Set<Integer> inactive(String text) {
    return text.equals(NONE)
        ? Set.of()
        : Arrays.stream(text.split("_", -1)).map(Integer::valueOf).collect(Collectors.toSet());
  }
}
