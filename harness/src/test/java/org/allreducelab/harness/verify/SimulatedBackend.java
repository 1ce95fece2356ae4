package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.Backend;
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
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingStats;

/**
 * A device that runs schedules round by round with the simulator's own arithmetic, and goes wrong
 * where a test asks it to. Its endpoint is {@code cpu}, as the default group wants it.
 */
final class SimulatedBackend implements Backend {
  static final String LIVE_GROUPS = "simulated group";

  /** Goes wrong. */
  interface Fault {
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

  private final Fault fault;
  private final List<Transport> transports;

  SimulatedBackend(Fault fault, Transport... transports) {
    this.fault = fault;
    this.transports = List.of(transports);
  }

  SimulatedBackend(Fault fault) {
    this(fault, Transport.DIRECT, Transport.STAGED_HOST);
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(new Endpoint("cpu", "Simulated", "none", "simulated", List.of(), Map.of()));
  }

  @Override
  public String absence() {
    return "";
  }

  @Override
  public Group open(GroupSpec spec) {
    Transport forced = spec.transport();
    Transport transport = forced == null ? transports.get(0) : forced;
    if (!transports.contains(transport)) {
      throw new UnavailableException("Simulated has no transport " + transport);
    }
    return new SimulatedGroup(spec, transport);
  }

  private final class SimulatedGroup implements Group {
    private final GroupSpec spec;
    private final Transport transport;
    private final byte[][] send;
    private final byte[][] recv;
    private boolean closed;

    SimulatedGroup(GroupSpec spec, Transport transport) {
      this.spec = spec;
      this.transport = transport;
      send = new byte[spec.ranks()][(int) spec.capacityBytes()];
      recv = new byte[spec.ranks()][(int) spec.capacityBytes()];
      LiveObjects.opened(LIVE_GROUPS);
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
          new Choice<>(Placement.QUEUES, "only one"),
          new Choice<>(transport, "forced"),
          new Choice<>(Sync.NATIVE, "only one"),
          new Choice<>(Barrier.PAIRWISE, "only one"),
          new Choice<>("simulated", "only one"));
    }

    private byte[] buffer(int rank, DataBuffer buffer) {
      return (buffer == DataBuffer.SEND ? send : recv)[rank];
    }

    @Override
    public void write(int rank, DataBuffer buffer, byte[] bytes) {
      System.arraycopy(bytes, 0, buffer(rank, buffer), 0, bytes.length);
    }

    @Override
    public void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
      System.arraycopy(buffer(rank, buffer), (int) byteOffset, into, 0, into.length);
    }

    @Override
    public Collective prepare(Schedule schedule, Operands operands) {
      Program program =
          Lowering.lower(
              schedule, spec.precision(), transport, operands, Barrier.PAIRWISE, Set.of());
      return new Collective() {
        @Override
        public Program program() {
          return program;
        }

        @Override
        public void enqueue() {
          execute(schedule, operands);
        }

        @Override
        public void await() {}

        @Override
        public Timings timings() {
          return Timings.NONE;
        }

        @Override
        public void close() {}
      };
    }

    private void execute(Schedule schedule, Operands operands) {
      int bytes = schedule.count() * spec.precision().element().bytes();
      byte[][] states =
          Arrays.stream(operands == Operands.IN_PLACE ? recv : send)
              .map(v -> Arrays.copyOf(v, bytes))
              .toArray(byte[][]::new);
      for (int i = 0; i < schedule.rounds().size(); i++) {
        List<Round> round = List.of(schedule.rounds().get(i));
        Schedule one = new Schedule(schedule.ranks(), schedule.count(), round);
        states = new ReferenceSimulator(one, spec.precision()).run(states);
        fault.after(schedule, i, states);
      }
      for (int rank = 0; rank < states.length; rank++) {
        System.arraycopy(states[rank], 0, recv[rank], 0, states[rank].length);
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
        LiveObjects.closed(LIVE_GROUPS);
      }
    }
  }
}
