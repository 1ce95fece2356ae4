package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingStats;

/**
 * Answers with the simulator's bytes. Endpoint {@code fake:0} is right; {@code fake:1} flips a bit
 * in the last element of the last rank, from its third invocation on: after the first verification.
 */
public final class SimulatedBackend implements Backend {
  private static Choices choices(GroupSpec spec) {
    boolean single = spec.placement() == Placement.SINGLE_QUEUE;
    return new Choices(
        single
            ? new Choice<>(Placement.SINGLE_QUEUE, "forced")
            : new Choice<>(Placement.QUEUES, "default"),
        new Choice<>(Transport.DIRECT, "only one"),
        new Choice<>(Sync.NATIVE, "only one"),
        new Choice<>(Barrier.PAIRWISE, "default"),
        new Choice<>("scalar", "only one"));
  }

  /** Collectives and groups that are open; tests look for zero. */
  static int open;

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(endpoint("fake:0"), endpoint("fake:1"));
  }

  private static Endpoint endpoint(String id) {
    return new Endpoint(id, "Fake", "none", id, List.of(), Map.of());
  }

  @Override
  public String absence() {
    return "";
  }

  @Override
  public Group open(GroupSpec spec) {
    if (spec.placement() == Placement.PHYSICAL) {
      throw new UnavailableException("fake has no placement physical; it has queues");
    }
    return new FakeGroup(spec);
  }

  private static final class FakeGroup implements Group {
    private final GroupSpec spec;
    private final Map<DataBuffer, byte[][]> buffers = new EnumMap<>(DataBuffer.class);
    private int invocations;
    private boolean closed;

    FakeGroup(GroupSpec spec) {
      this.spec = spec;
      for (DataBuffer buffer : DataBuffer.values()) {
        buffers.put(buffer, new byte[spec.ranks()][Math.toIntExact(spec.capacityBytes())]);
      }
      open++;
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
      for (int rank = 0; rank < spec.ranks(); rank++) {
        ranks.add(rank);
      }
      return ranks;
    }

    @Override
    public Choices choices() {
      return SimulatedBackend.choices(spec);
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
    public Collective prepare(Schedule schedule, Operands operands) {
      if (closed) {
        throw new BackendException("closed");
      }
      open++;
      return new FakeCollective(this, schedule, operands);
    }

    private void execute(Schedule schedule, Operands operands) {
      DataBuffer from = operands == Operands.IN_PLACE ? DataBuffer.RECV : DataBuffer.SEND;
      byte[][] results = new ReferenceSimulator(schedule, spec.precision()).run(of(from));
      int last = results.length - 1;
      if (++invocations > 2 && spec.endpoints().contains("fake:1")) {
        results[last][results[last].length - 1] ^= 1;
      }
      for (int rank = 0; rank <= last; rank++) {
        write(rank, DataBuffer.RECV, results[rank]);
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
        open--;
        buffers.clear();
      }
    }
  }

  private record FakeCollective(FakeGroup group, Schedule schedule, Operands operands)
      implements Collective {
    @Override
    public Program program() {
      throw new UnsupportedOperationException("nothing is lowered here");
    }

    @Override
    public void enqueue() {
      group.execute(schedule, operands);
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
      open--;
    }
  }
}
