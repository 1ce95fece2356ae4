package org.allreducelab.backends.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingMemory;
import org.allreducelab.backends.staging.StagingPool;
import org.allreducelab.backends.staging.StagingStats;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/**
 * Ranks on devices that an engine drives.
 *
 * <p>Used from one thread, but closed by another when the process ends: a lock that is never
 * contended otherwise keeps the two apart, and waits end soon after {@link #ending} is set.
 *
 * @param <R> what the engine makes of a program
 */
public final class DeviceGroup<R extends Recorded>
    implements Group, StagingMemory, RecordedCollective.Owner<R> {
  private final GroupSpec spec;
  private final Choices choices;
  private final String kind;
  private final DeviceEngine<R> engine;
  private final StagingPool staging;
  private final Flight<R> flight;
  private final List<RecordedCollective<R>> collectives = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean ending;
  private @Nullable BackendException failure;
  private boolean closed;

  /**
   * @param backend the backend's name
   * @param engine its devices; the group closes it
   */
  public DeviceGroup(GroupSpec spec, Choices choices, String backend, DeviceEngine<R> engine) {
    this.spec = spec;
    this.choices = choices;
    this.engine = engine;
    kind = backend + " group";
    staging = new StagingPool(localRanks(), spec.policy(), this, spec.faults());
    flight = new Flight<>(spec, engine, this::requireGoingOn);
    LiveObjects.opened(kind);
    engine.opened(this);
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
    lock.lock();
    try {
      requireIdle("write");
      Objects.checkIndex(rank, spec.ranks());
      Objects.checkFromIndexSize(0L, bytes.length, spec.capacityBytes());
      engine.write(rank, buffer, bytes);
    } catch (BackendException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
    lock.lock();
    try {
      requireIdle("read");
      Objects.checkIndex(rank, spec.ranks());
      Objects.checkFromIndexSize(byteOffset, into.length, spec.capacityBytes());
      engine.read(rank, buffer, byteOffset, into);
    } catch (BackendException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Collective prepare(Schedule schedule, Operands operands, int repetitions) {
    lock.lock();
    try {
      requireUsable();
      Program program = spec.lower(schedule, operands, choices, repetitions);
      RecordedCollective<R> collective = new RecordedCollective<>(this, program);
      collectives.add(collective);
      return collective;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void enqueue(RecordedCollective<R> collective) {
    lock.lock();
    try {
      requireUsable();
      if (collective.isClosed()) {
        throw new BackendException("the collective is closed");
      }
      flight.makeRoom();
      submit(collective);
    } catch (BackendException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  private void submit(RecordedCollective<R> collective) {
    staging.ensure(collective.program());
    R recording = collective.recordingFor(staging);
    if (recording == null) {
      recording = record(collective);
    }
    long startNs = System.nanoTime();
    flight.submit(recording, collective.program());
    collective.submitted(System.nanoTime() - startNs);
  }

  private R record(RecordedCollective<R> collective) {
    long startNs = System.nanoTime();
    boolean again = collective.wasRecorded();
    StagingUse use = staging.use();
    engine.pick(use);
    R made = engine.record(collective.program());
    close(collective.record(made, use));
    if (again) {
      staging.rerecorded(System.nanoTime() - startNs);
    }
    return made;
  }

  @Override
  public void await() {
    lock.lock();
    try {
      requireUsable();
      long startNs = System.nanoTime();
      flight.await();
      long elapsedNs = System.nanoTime() - startNs;
      for (int i = 0; i < collectives.size(); i++) {
        R done = collectives.get(i).awaited(elapsedNs);
        if (done != null) {
          collectives.get(i).timed(done.times());
        }
      }
    } catch (BackendException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  private BackendException failed(BackendException e) {
    if (!closed && failure == null) {
      failure = e;
    }
    engine.failed(e);
    return e;
  }

  @Override
  public StagingStats staging() {
    return staging.stats();
  }

  @Override
  public void close(RecordedCollective<R> collective) {
    lock.lock();
    try {
      if (collective.isClosed()) {
        return;
      }
      if (failure == null) {
        flight.await();
        engine.drain();
        collectives.remove(collective);
        close(collective.free());
      }
      // After a failure its recording may still be in use: the group's close() sees to it.
    } catch (BackendException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    ending = true;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      boolean quiet = flight.settle(failure != null);
      LiveObjects.closed(kind);
      if (!quiet) {
        DriverShutdown.stillInUse();
        throw new BackendException(
            "devices of the group still work after a second deadline; its memory, queues and"
                + " semaphores could not be freed");
      }
      engine.closed(this);
      drain();
      collectives.forEach(collective -> close(collective.free()));
      staging.freeAll();
      engine.close();
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    try {
      engine.drain();
    } catch (BackendException e) {
      // A lost device holds nothing any more.
      engine.failed(e);
    }
  }

  private void close(@Nullable R recording) {
    if (recording != null) {
      recording.close();
    }
  }

  private void requireIdle(String operation) {
    requireUsable();
    if (!flight.isEmpty()) {
      throw new IllegalStateException(
          operation + " while a collective is in flight: call await() first");
    }
  }

  /** Another thread that closes the group waits for this one's lock. */
  private void requireGoingOn() {
    if (closed) {
      return;
    }
    DriverShutdown.requireGoingOn();
    if (ending) {
      throw new BackendException("the group is being closed");
    }
  }

  private void requireUsable() {
    DriverShutdown.requireGoingOn();
    if (closed) {
      throw new BackendException("the group is closed");
    }
    if (failure != null) {
      throw new BackendException("the group has failed: " + failure.getMessage(), failure);
    }
  }

  @Override
  public void quiesce() {
    flight.await();
    engine.drain();
  }

  @Override
  public void allocate(int rank, int buffer, long bytes) {
    engine.allocateSlots(rank, buffer, bytes);
  }

  @Override
  public void free(int rank, int buffer) {
    engine.freeSlots(rank, buffer);
  }
}
