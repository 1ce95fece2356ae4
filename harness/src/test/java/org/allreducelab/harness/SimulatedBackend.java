package org.allreducelab.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingStats;

/**
 * Devices that run schedules round by round with the simulator's own arithmetic, and go wrong where
 * a test asks them to.
 */
public final class SimulatedBackend implements Backend {
  /** What {@link LiveObjects} counts. */
  public static final String LIVE_GROUPS = "simulated group";

  /** Likewise. */
  public static final String LIVE_COLLECTIVES = "simulated collective";

  /** Goes wrong. */
  public interface Fault {
    /** The device as it should be. */
    Fault NONE = (schedule, round, states) -> {};

    /**
     * Called after each round.
     *
     * @param schedule what runs
     * @param round the round just done, from 0
     * @param states every rank's vector, to be changed
     */
    void after(Schedule schedule, int round, byte[][] states);
  }

  private final List<String> ids;
  private final Function<GroupSpec, Fault> faultOf;
  private final List<Transport> transports;

  private SimulatedBackend(
      List<String> ids, Function<GroupSpec, Fault> faultOf, List<Transport> transports) {
    this.ids = ids;
    this.faultOf = faultOf;
    this.transports = transports;
  }

  /**
   * Backend {@code fake}, as the service loader finds it: {@code fake:0} is right; {@code fake:1}
   * flips a bit in the last element of the last rank, from a group's third invocation on: after the
   * first verification.
   */
  public SimulatedBackend() {
    this(
        List.of("fake:0", "fake:1"),
        spec -> spec.endpoints().contains("fake:1") ? lateFlip() : Fault.NONE,
        List.of(Transport.DIRECT));
  }

  /** One device, called {@code cpu} as the default group wants it, with both transports. */
  public static SimulatedBackend cpu(Fault fault) {
    return cpu(fault, Transport.DIRECT, Transport.STAGED_HOST);
  }

  /** The same with these transports; the first is its choice. */
  public static SimulatedBackend cpu(Fault fault, Transport... transports) {
    return new SimulatedBackend(List.of("cpu"), spec -> fault, List.of(transports));
  }

  private static Fault lateFlip() {
    int[] invocations = {0};
    return (schedule, round, states) -> {
      if (round == schedule.rounds().size() - 1 && ++invocations[0] > 2) {
        byte[] last = states[states.length - 1];
        last[last.length - 1] ^= 1;
      }
    };
  }

  @Override
  public String name() {
    return ids.get(0).replaceFirst(":.*", "");
  }

  @Override
  public List<Endpoint> endpoints() {
    return ids.stream()
        .map(id -> new Endpoint(id, "Simulated", "none", id, List.of(), Map.of()))
        .toList();
  }

  @Override
  public String absence() {
    return "";
  }

  @Override
  public Group open(GroupSpec spec) {
    if (spec.placement() == Placement.PHYSICAL) {
      throw new UnavailableException(name() + " has no placement physical; it has queues");
    }
    Transport forced = spec.transport();
    Transport transport = forced == null ? transports.get(0) : forced;
    if (!transports.contains(transport)) {
      throw new UnavailableException(name() + " has no transport " + transport);
    }
    return new SimulatedGroup(spec, transport, faultOf.apply(spec));
  }

  private static final class SimulatedGroup implements Group {
    private final GroupSpec spec;
    private final Transport transport;
    private final Fault fault;
    private final Map<DataBuffer, byte[][]> buffers = new EnumMap<>(DataBuffer.class);
    private boolean closed;

    SimulatedGroup(GroupSpec spec, Transport transport, Fault fault) {
      this.spec = spec;
      this.transport = transport;
      this.fault = fault;
      for (DataBuffer buffer : DataBuffer.values()) {
        buffers.put(buffer, new byte[spec.ranks()][Math.toIntExact(spec.capacityBytes())]);
      }
      LiveObjects.opened(LIVE_GROUPS);
    }

    private byte[][] of(DataBuffer buffer) {
      byte[][] vectors = buffers.get(buffer);
      if (vectors == null) {
        throw new BackendException("closed");
      }
      return vectors;
    }

    @Override
    public int ranks() {
      return spec.ranks();
    }

    @Override
    public List<Integer> localRanks() {
      List<Integer> ranks = new ArrayList<>();
      for (int rank = 0; rank < ranks(); rank++) {
        ranks.add(rank);
      }
      return ranks;
    }

    @Override
    public Choices choices() {
      return new Choices(
          spec.placement() == Placement.SINGLE_QUEUE
              ? new Choice<>(Placement.SINGLE_QUEUE, "forced")
              : new Choice<>(Placement.QUEUES, "default"),
          new Choice<>(transport, spec.transport() == null ? "default" : "forced"),
          new Choice<>(Sync.NATIVE, "only one"),
          new Choice<>(Barrier.PAIRWISE, "only one"),
          new Choice<>("simulated", "only one"));
    }

    @Override
    public void write(int rank, DataBuffer buffer, byte[] bytes) {
      System.arraycopy(bytes, 0, of(buffer)[rank], 0, bytes.length);
    }

    @Override
    public void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
      System.arraycopy(of(buffer)[rank], Math.toIntExact(byteOffset), into, 0, into.length);
    }

    @Override
    public Collective prepare(Schedule schedule, Operands operands, int repetitions) {
      if (closed) {
        throw new BackendException("closed");
      }
      Program program =
          Lowering.lower(
              schedule,
              LoweringSpec.of(spec.precision(), transport, operands).repeated(repetitions));
      LiveObjects.opened(LIVE_COLLECTIVES);
      return new SimulatedCollective(this, schedule, operands, program);
    }

    private void execute(Schedule schedule, Operands operands) {
      int bytes = schedule.count() * spec.precision().element().bytes();
      byte[][] states =
          Arrays.stream(of(operands == Operands.IN_PLACE ? DataBuffer.RECV : DataBuffer.SEND))
              .map(v -> Arrays.copyOf(v, bytes))
              .toArray(byte[][]::new);
      for (int i = 0; i < schedule.rounds().size(); i++) {
        List<Round> round = List.of(schedule.rounds().get(i));
        Schedule one = new Schedule(schedule.ranks(), schedule.count(), round);
        states = new ReferenceSimulator(one, spec.precision()).run(states);
        fault.after(schedule, i, states);
      }
      for (int rank = 0; rank < states.length; rank++) {
        write(rank, DataBuffer.RECV, states[rank]);
      }
    }

    @Override
    public void await() {}

    @Override
    public StagingStats staging() {
      return StagingStats.NONE;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        buffers.clear();
        LiveObjects.closed(LIVE_GROUPS);
      }
    }
  }

  private record SimulatedCollective(
      SimulatedGroup group, Schedule schedule, Operands operands, Program program)
      implements Collective {
    @Override
    public void enqueue() {
      for (int times = program.repetitions(); times > 0; times--) {
        group.execute(schedule, operands);
      }
    }

    @Override
    public void await() {}

    @Override
    public Timings timings() {
      // Its device is only timed where that was asked for.
      long deviceNs = group.spec.timestamps() ? 2000 : Timings.UNKNOWN;
      return new Timings(1000, 4000, deviceNs, deviceNs);
    }

    @Override
    public void close() {
      LiveObjects.closed(LIVE_COLLECTIVES);
    }
  }
}
