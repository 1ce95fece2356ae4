package org.allreducelab.backends.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.device.RecordedCollective;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingMemory;
import org.allreducelab.backends.staging.StagingPool;
import org.allreducelab.backends.staging.StagingStats;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/**
 * Ranks in one process: buffers in the heap, an {@link Engine} that runs them.
 *
 * <p>{@link Worker} argues why every rank sees what it must. Between {@code enqueue()} and {@code
 * await()} the calling thread's own ranks do not move: it is one of the workers.
 */
final class CpuGroup implements Group, StagingMemory, RecordedCollective.Owner<Recording> {
  private final GroupSpec spec;
  private final Choices choices;
  private final LoopSet loops;
  private final Deal deal;
  private final RankMemory memory;
  private final @Nullable EmulatedProxy proxy;
  private final Engine engine;
  private final StagingPool staging;
  private final List<RecordedCollective<Recording>> collectives = new ArrayList<>();
  private @Nullable Recording pause;
  private boolean closed;

  CpuGroup(GroupSpec spec, Choices choices, int cores, LoopSet loops) {
    this.spec = spec;
    this.choices = choices;
    this.loops = loops;
    boolean single = choices.placement().value() == Placement.SINGLE_QUEUE;
    deal = new Deal(spec.ranks(), single ? 1 : Math.min(spec.ranks(), cores));
    memory = new RankMemory(spec.ranks(), spec.capacityBytes());
    proxy = EmulatedProxy.of(spec);
    engine = new Engine(deal, memory, proxy, spec.deadlineNs(), spec.faults());
    staging = new StagingPool(localRanks(), spec.policy(), this, spec.faults());
    try {
      engine.start();
    } catch (BackendException e) {
      engine.close();
      throw e;
    }
    LiveObjects.opened("cpu group");
  }

  @Override
  public int ranks() {
    return spec.ranks();
  }

  @Override
  public List<Integer> localRanks() {
    return IntStream.range(0, spec.ranks()).boxed().toList();
  }

  @Override
  public Choices choices() {
    return choices;
  }

  @Override
  public void write(int rank, DataBuffer buffer, byte[] bytes) {
    requireIdle("write");
    memory.write(rank, buffer, bytes);
  }

  @Override
  public void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
    requireIdle("read");
    memory.read(rank, buffer, byteOffset, into);
  }

  @Override
  public Collective prepare(Schedule schedule, Operands operands, int repetitions) {
    requireUsable();
    Program program = spec.lower(schedule, operands, choices, repetitions);
    RecordedCollective<Recording> collective = new RecordedCollective<>(this, program);
    collectives.add(collective);
    LiveObjects.opened("cpu collective");
    return collective;
  }

  /** Timings stay unknown: two clock readings would be a twentieth of a small all-reduce. */
  @Override
  public void enqueue(RecordedCollective<Recording> collective) {
    requireUsable();
    if (collective.isClosed()) {
      throw new BackendException("the collective is closed");
    }
    try {
      staging.ensure(collective.program());
    } catch (BackendException e) {
      throw engine.fail(e);
    }
    Recording recording = collective.recordingFor(staging);
    engine.submit(recording != null ? recording : record(collective));
  }

  private Recording record(RecordedCollective<Recording> collective) {
    long startNs = System.nanoTime();
    boolean again = collective.wasRecorded();
    Program program = collective.program();
    StagingUse use = staging.use();
    memory.pick(use);
    FoldBinder binder = new FoldBinder(memory, loops, program.precision(), program.count());
    Recording made = new Recording(program, deal, binder);
    collective.record(made, use);
    if (again) {
      staging.rerecorded(System.nanoTime() - startNs);
    }
    return made;
  }

  @Override
  public void await() {
    requireUsable();
    engine.awaitAll();
  }

  @Override
  public void compute(long durationNs) {
    requireUsable();
    Recording recorded = pause;
    if (recorded == null || recorded.computeNs != durationNs) {
      recorded = Recording.compute(durationNs, deal);
      pause = recorded;
    }
    engine.submit(recorded);
  }

  @Override
  public StagingStats staging() {
    return staging.stats();
  }

  @Override
  public void close(RecordedCollective<Recording> collective) {
    if (collective.isClosed()) {
      return;
    }
    collectives.remove(collective);
    try {
      if (engine.running() && engine.inFlight()) {
        engine.awaitAll();
      }
    } finally {
      if (!engine.inFlight()) {
        engine.forgetRecordings();
      }
      collective.free();
      LiveObjects.closed("cpu collective");
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    abandonAfterDeadline();
    for (RecordedCollective<Recording> collective : List.copyOf(collectives)) {
      collectives.remove(collective);
      collective.free();
      LiveObjects.closed("cpu collective");
    }
    LiveObjects.closed("cpu group");
    // Last: when a thread does not end, what it uses must stay.
    engine.close();
    staging.freeAll();
  }

  /** What is in flight may end; if it does not, closing goes on all the same. */
  private void abandonAfterDeadline() {
    try {
      if (engine.running() && engine.inFlight()) {
        engine.awaitAll();
      }
    } catch (BackendException e) {
      // The group is going anyway; whoever awaits hears of failures, whoever closes does not.
      engine.fail(e);
    }
  }

  private void requireIdle(String operation) {
    requireUsable();
    if (engine.inFlight()) {
      throw new IllegalStateException(
          operation + " while a collective is in flight: call await() first");
    }
  }

  private void requireUsable() {
    if (closed) {
      throw new BackendException("the group is closed");
    }
    engine.requireRunning();
  }

  @Override
  public void quiesce() {
    engine.awaitAll();
    engine.forgetRecordings();
  }

  @Override
  public void allocate(int rank, int buffer, long bytes) {
    memory.allocateSlots(rank, buffer, bytes);
    if (proxy != null) {
      proxy.allocated(rank, bytes);
    }
  }

  @Override
  public void free(int rank, int buffer) {
    long bytes = memory.freeSlots(rank, buffer);
    if (proxy != null) {
      proxy.allocated(rank, -bytes);
    }
  }
}
