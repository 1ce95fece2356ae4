package org.allreducelab.backends;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.probe.ProbeVerdicts;
import org.allreducelab.backends.staging.GrowOnly;
import org.allreducelab.backends.staging.StagingPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What a group is asked to be. A choice left null is the backend's, by capability; one that is set
 * is forced, and a device that cannot do it is an error.
 *
 * @param endpoints the endpoint id of each rank
 * @param placement forced placement, or null
 * @param transport forced transport, or null
 * @param sync forced synchronisation, or null
 * @param barrier forced barrier, or null
 * @param memory forced kind of handle to share device memory through, or null; it forces transport
 *     {@code direct} between devices apart too, where alone it is used
 * @param queueFamily forced index of the queue family, or null
 * @param queues forced number of queues that the ranks of one device share, or null; ranks of one
 *     queue are in order without waiting for each other
 * @param precision the arithmetic
 * @param capacityBytes size of each rank's SEND and RECV buffer
 * @param policy how much staging memory to keep
 * @param deadline how long any host wait may take
 * @param inactiveRanks ranks that contribute −0 and whose input is not read; they receive the
 *     result
 * @param driverModel a driver to emulate, or null; what has a driver of its own refuses it
 * @param faults faults to have, for tests
 * @param probes what earlier probes found
 * @param timestamps whether devices time each invocation, as far as they can; then one is in flight
 *     at a time, and {@code enqueue()} waits for the one before
 */
public record GroupSpec(
    List<String> endpoints,
    @Nullable Placement placement,
    @Nullable Transport transport,
    @Nullable Sync sync,
    @Nullable Barrier barrier,
    @Nullable SharedMemory memory,
    @Nullable Integer queueFamily,
    @Nullable Integer queues,
    Precision precision,
    long capacityBytes,
    StagingPolicy policy,
    Duration deadline,
    Set<Integer> inactiveRanks,
    @Nullable DriverModel driverModel,
    FaultPlan faults,
    ProbeVerdicts probes,
    boolean timestamps) {

  /**
   * @throws IllegalArgumentException if there is no rank, more ranks than the precision allows, a
   *     negative capacity or queue family, no queue, a deadline that is not positive, or an
   *     inactive rank that does not exist
   */
  public GroupSpec {
    endpoints = List.copyOf(endpoints);
    inactiveRanks = Set.copyOf(inactiveRanks);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("a group needs at least one rank");
    }
    if (!precision.supportsRanks(endpoints.size())) {
      throw new IllegalArgumentException(
          precision.name()
              + " is defined for at most "
              + precision.maxRanks()
              + " ranks, not "
              + endpoints.size());
    }
    if (queueFamily != null && queueFamily < 0) {
      throw new IllegalArgumentException("negative queue family " + queueFamily);
    }
    if (queues != null && queues < 1) {
      throw new IllegalArgumentException("ranks need at least one queue, not " + queues);
    }
    if (capacityBytes < 0) {
      throw new IllegalArgumentException("negative capacity " + capacityBytes);
    }
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline must be positive, not " + deadline);
    }
    for (int rank : inactiveRanks) {
      if (rank < 0 || rank >= endpoints.size()) {
        throw new IllegalArgumentException("no such inactive rank: " + rank);
      }
    }
  }

  public int ranks() {
    return endpoints.size();
  }

  /** Whether all ranks are on the same endpoint. */
  public boolean isOnOneEndpoint() {
    return endpoints.stream().distinct().count() == 1;
  }

  /**
   * The forced placement, or null.
   *
   * @throws UnavailableException if it needs all ranks on one device, and there are several
   */
  public @Nullable Placement possiblePlacement() {
    if (placement != null && placement != Placement.PHYSICAL && !isOnOneEndpoint()) {
      throw new UnavailableException(
          "placement " + placement.label() + " needs all ranks on one device, not " + endpoints);
    }
    return placement;
  }

  /** What it forces of what only some backends choose. */
  public Set<OwnChoice> ownChoices() {
    Set<OwnChoice> forced = EnumSet.noneOf(OwnChoice.class);
    if (memory != null) {
      forced.add(OwnChoice.MEMORY);
    }
    if (queueFamily != null) {
      forced.add(OwnChoice.QUEUE_FAMILY);
    }
    if (queues != null) {
      forced.add(OwnChoice.QUEUES);
    }
    return forced;
  }

  /** The deadline; centuries are as good as what fits half a long of nanoseconds. */
  public long deadlineNs() {
    try {
      return Math.min(deadline.toNanos(), Long.MAX_VALUE / 2);
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE / 2;
    }
  }

  /**
   * Lowers a schedule for such a group.
   *
   * @param choices what the group runs with
   * @param repetitions how often an invocation executes it, ≥ 1
   * @throws IllegalArgumentException if the schedule's ranks are not the group's, or its vector is
   *     larger than the capacity
   */
  public Program lower(Schedule schedule, Operands operands, Choices choices, int repetitions) {
    if (schedule.ranks() != ranks()) {
      throw new IllegalArgumentException(
          "a schedule of " + schedule.ranks() + " ranks for a group of " + ranks());
    }
    long bytes = (long) schedule.count() * precision.element().bytes();
    if (bytes > capacityBytes) {
      throw new IllegalArgumentException(
          "a vector of " + bytes + " bytes, but the group's capacity is " + capacityBytes);
    }
    return Lowering.lower(schedule, lowering(operands, choices).repeated(repetitions));
  }

  /**
   * How such a group has schedules lowered.
   *
   * @param choices what it runs with
   */
  public LoweringSpec lowering(Operands operands, Choices choices) {
    return LoweringSpec.of(precision, choices.transport().value(), operands)
        .withBarrier(choices.barrier().value())
        .withInactiveRanks(inactiveRanks);
  }

  /**
   * For backends that have drivers: refuses to emulate another.
   *
   * @throws UnavailableException if a driver model is asked for
   */
  public void requireNoDriverModel() {
    if (driverModel != null) {
      throw new UnavailableException(
          "a driver model emulates a driver on the cpu backend only, not on "
              + endpoints.get(0)
              + "; leave --driver-model out to measure what is there");
    }
  }

  /** Starts a spec for ranks on these endpoints. */
  public static Builder builder(List<String> endpoints) {
    return new Builder(endpoints);
  }

  /** Starts a spec for {@code ranks} ranks on one endpoint. */
  public static Builder builder(String endpoint, int ranks) {
    return new Builder(java.util.Collections.nCopies(ranks, endpoint));
  }

  /** Collects a spec; what is not set keeps its default. */
  public static final class Builder {
    private final List<String> endpoints;
    private @Nullable Placement placement;
    private @Nullable Transport transport;
    private @Nullable Sync sync;
    private @Nullable Barrier barrier;
    private @Nullable SharedMemory memory;
    private @Nullable Integer queueFamily;
    private @Nullable Integer queues;
    private Precision precision = Precision.BF16;
    private long capacityBytes;
    private StagingPolicy policy = new GrowOnly();
    private Duration deadline = Duration.ofSeconds(10);
    private Set<Integer> inactiveRanks = Set.of();
    private @Nullable DriverModel driverModel;
    private FaultPlan faults = FaultPlan.NONE;
    private ProbeVerdicts probes = ProbeVerdicts.NONE;
    private boolean timestamps;

    private Builder(List<String> endpoints) {
      this.endpoints = endpoints;
    }

    public Builder placement(@Nullable Placement forced) {
      placement = forced;
      return this;
    }

    public Builder transport(@Nullable Transport forced) {
      transport = forced;
      return this;
    }

    public Builder sync(@Nullable Sync forced) {
      sync = forced;
      return this;
    }

    public Builder barrier(@Nullable Barrier forced) {
      barrier = forced;
      return this;
    }

    public Builder memory(@Nullable SharedMemory forced) {
      memory = forced;
      return this;
    }

    public Builder queueFamily(@Nullable Integer forced) {
      queueFamily = forced;
      return this;
    }

    public Builder queues(@Nullable Integer forced) {
      queues = forced;
      return this;
    }

    public Builder precision(Precision value) {
      precision = value;
      return this;
    }

    public Builder capacityBytes(long value) {
      capacityBytes = value;
      return this;
    }

    public Builder policy(StagingPolicy value) {
      policy = value;
      return this;
    }

    public Builder deadline(Duration value) {
      deadline = value;
      return this;
    }

    public Builder inactiveRanks(Set<Integer> value) {
      inactiveRanks = value;
      return this;
    }

    public Builder driverModel(@Nullable DriverModel value) {
      driverModel = value;
      return this;
    }

    public Builder faults(FaultPlan value) {
      faults = value;
      return this;
    }

    public Builder probes(ProbeVerdicts value) {
      probes = value;
      return this;
    }

    public Builder timestamps(boolean value) {
      timestamps = value;
      return this;
    }

    /**
     * The spec.
     *
     * @throws IllegalArgumentException see {@link GroupSpec}
     */
    public GroupSpec build() {
      return new GroupSpec(
          endpoints,
          placement,
          transport,
          sync,
          barrier,
          memory,
          queueFamily,
          queues,
          precision,
          capacityBytes,
          policy,
          deadline,
          inactiveRanks,
          driverModel,
          faults,
          probes,
          timestamps);
    }
  }
}
