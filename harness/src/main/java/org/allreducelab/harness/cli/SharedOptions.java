package org.allreducelab.harness.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.OwnChoice;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.staging.StagingPolicy;
import org.allreducelab.harness.probes.ProbeCache;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that verify, bench and decode share. Commands have them as a mixin; what was not
 * typed is null, or the default that the accessor is given.
 */
public final class SharedOptions extends ScheduleOptions {
  /** The most all-reduces that are recorded as one, or enqueued before one wait. */
  public static final int MOST_IN_A_ROW = 256;

  @Option(
      names = "--devices",
      paramLabel = "GROUP",
      description =
          "Where to run: cpu, vulkan:0, opencl:0, vulkan:0,vulkan:1 (ranks go round-robin),"
              + " vulkan:0x4 (fixes the ranks), part of a device's name, or all. Repeat it for several"
              + " groups (default: cpu).")
  private List<String> devices = new ArrayList<>();

  @Option(
      names = "--algorithms",
      paramLabel = "LIST",
      converter = Converters.Algorithms.class,
      description = "Names, name:key=value, or all.")
  private @Nullable AlgorithmList algorithms;

  @Option(
      names = "--placement",
      paramLabel = "NAME",
      converter = Converters.Placements.class,
      description = "physical, logical, queues or single-queue (default: by device).")
  private @Nullable Placement placement;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      converter = Converters.Transports.class,
      description = "direct or staged-host (default: by capability).")
  private @Nullable Transport transport;

  @Option(
      names = "--sync",
      paramLabel = "NAME",
      converter = Converters.Syncs.class,
      description = "native or proxy (default: by capability).")
  private @Nullable Sync sync;

  @Option(
      names = "--memory",
      paramLabel = "NAME",
      converter = Converters.Memories.class,
      description =
          "opaque-fd or dma-buf: how devices share memory directly (default: by capability).")
  private @Nullable SharedMemory memory;

  @Option(
      names = "--barrier",
      paramLabel = "NAME",
      converter = Converters.Barriers.class,
      description = "pairwise or relay (default: by capability).")
  private @Nullable Barrier barrier;

  @Option(
      names = "--queue-family",
      paramLabel = "INDEX",
      converter = Converters.NotNegative.class,
      description = "Queue family, as lab devices lists them (default: by capability).")
  private @Nullable Integer queueFamily;

  @Option(
      names = "--queues",
      paramLabel = "NUMBER",
      converter = Converters.AtLeastOne.class,
      description = "How many queues the ranks of one device share at most (default: one each).")
  private @Nullable Integer queues;

  @Option(
      names = "--in-place",
      paramLabel = "WHICH",
      converter = Converters.InPlaces.class,
      description = "false, true or both (default: false).")
  private @Nullable InPlace inPlace;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description = "The longest that any wait may take: 500ms, 10s (default: 10s).")
  private @Nullable Duration deadline;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      converter = Converters.Seed.class,
      description = "Seed of the test data (default: random; it is printed).")
  private @Nullable Long seed;

  @Option(
      names = "--policy",
      paramLabel = "LIST",
      converter = Converters.Policies.class,
      description =
          "Staging policies: grow-only, shrink[:FACTOR], shrink-after[:CALLS], size-classes,"
              + " split[:SIZE], fixed[:SIZE], or all; one of them where nothing compares them"
              + " (default: grow-only).")
  private @Nullable PolicyList policies;

  /**
   * The device groups; without {@code --devices} it is {@code cpu}.
   *
   * @throws UsageException if a value is malformed, unknown or ambiguous
   * @throws UnavailableException if a device is not here, or has no choice that was forced
   */
  public List<DeviceGroup> groups(Inventory inventory) {
    DeviceParser parser = new DeviceParser(inventory);
    List<DeviceGroup> groups = new ArrayList<>();
    for (String text : devices.isEmpty() ? List.of("cpu") : devices) {
      groups.addAll(parser.parse(text));
    }
    groups.forEach(this::requireChoices);
    return groups;
  }

  /**
   * A line that names what else is here, where {@code --devices} was left out; none otherwise. It
   * is for after everything that may be wrong with the options: an error is one line, by itself.
   */
  public List<String> elsewhere(Inventory inventory) {
    if (!devices.isEmpty()) {
      return List.of();
    }
    String others =
        inventory.endpoints().stream()
            .map(Endpoint::id)
            .filter(id -> !id.equals("cpu"))
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? List.of() : List.of("on cpu; also here: " + others + " (--devices)");
  }

  private void requireChoices(DeviceGroup group) {
    Set<OwnChoice> present = group.backend().ownChoices();
    String absent =
        memory != null && !present.contains(OwnChoice.MEMORY)
            ? "--memory"
            : queueFamily != null && !present.contains(OwnChoice.QUEUE_FAMILY)
                ? "--queue-family"
                : queues != null && !present.contains(OwnChoice.QUEUES) ? "--queues" : "";
    if (!absent.isEmpty()) {
      throw new UnavailableException(
          group.label() + " has no choice of " + absent + "; leave it out on this device");
    }
  }

  public AlgorithmList algorithmsOr(AlgorithmList fallback) {
    return algorithms == null ? fallback : algorithms;
  }

  /** What was typed of {@code --algorithms}, or null. */
  public @Nullable AlgorithmList typedAlgorithms() {
    return algorithms;
  }

  public InPlace inPlaceOr(InPlace fallback) {
    return inPlace == null ? fallback : inPlace;
  }

  public Duration deadline() {
    return deadlineOr(Duration.ofSeconds(10));
  }

  public Duration deadlineOr(Duration fallback) {
    return deadline == null ? fallback : deadline;
  }

  /** The seed: what was typed, or a random one, the same at every call. */
  public long seed() {
    if (seed == null) {
      seed = ThreadLocalRandom.current().nextLong(1, 1L << 31);
    }
    return seed;
  }

  public PolicyList policiesOr(PolicyList fallback) {
    return policies == null ? fallback : policies;
  }

  /**
   * The staging policy, where there can be only one.
   *
   * @throws UsageException if several were typed
   */
  public StagingPolicy policy() {
    List<StagingPolicy> typed = policiesOr(PolicyList.parse("grow-only")).values();
    if (typed.size() > 1) {
      throw new UsageException(
          "one --policy at a time here, not "
              + typed.stream().map(StagingPolicy::name).collect(Collectors.joining(","))
              + "; lab decode compares them");
    }
    return typed.get(0);
  }

  /** What was forced of what a backend chooses otherwise. */
  public ForcedChoices forced() {
    return new ForcedChoices(placement, transport, sync, barrier, memory, queueFamily, queues);
  }

  /**
   * What such a group chooses. An empty one is opened, so that what cannot be is said before
   * anything runs.
   *
   * @throws UnavailableException if a forced choice is not to be had
   */
  public Choices choices(DeviceGroup group, int ranks, Precision precision) {
    try (Group opened = group.backend().open(groupSpec(group, ranks, precision, 0).build())) {
      return opened.choices();
    }
  }

  /** Starts the spec of a group with every forced choice; the transport can still be changed. */
  public GroupSpec.Builder groupSpec(
      DeviceGroup group, int ranks, Precision precision, long capacityBytes) {
    return forced()
        .applyTo(GroupSpec.builder(group.endpointIds(ranks)))
        .precision(precision)
        .capacityBytes(capacityBytes)
        .policy(policy())
        .deadline(deadline())
        .probes(ProbeCache.ofUser());
  }

  /**
   * The options to type again to have the same forced choices but the transport; empty when there
   * are none.
   */
  public String forcedOptions() {
    StringBuilder text = new StringBuilder();
    forced()
        .labels()
        .forEach(
            (name, label) -> append(text, "--" + name, name.equals("transport") ? null : label));
    append(
        text,
        "--granule",
        granule() == Algorithm.DEFAULT_GRANULE ? null : String.valueOf(granule()));
    append(text, "--deadline", deadline == null ? null : DurationText.format(deadline));
    return text.toString();
  }

  private static void append(StringBuilder text, String option, @Nullable String value) {
    if (value != null) {
      text.append(' ').append(option).append(' ').append(value);
    }
  }
}
