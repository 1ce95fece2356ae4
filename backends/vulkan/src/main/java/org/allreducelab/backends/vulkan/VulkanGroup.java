package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

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
import org.allreducelab.backends.Deadline;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingMemory;
import org.allreducelab.backends.staging.StagingPool;
import org.allreducelab.backends.staging.StagingStats;
import org.jspecify.annotations.Nullable;

/**
 * Ranks on Vulkan devices.
 *
 * <p>Used from one thread, but closed by another when the process ends: a lock that is never
 * contended otherwise keeps the two apart, and waits end soon after {@link #ending} is set.
 */
final class VulkanGroup implements Group, StagingMemory {
  private static final String KIND = "vulkan group";

  /** More invocations than this in flight make enqueue() wait. */
  private static final int MOST_IN_FLIGHT = 1024;

  /** How long one wait call lasts at most, so that a proxy's end and the process's are noticed. */
  private static final long CHUNK_NS = 50_000_000;

  /** How often is looked for what can be released: each look may let one rank get on. */
  private static final long RELEASE_CHUNK_NS = 1_000_000;

  private final GroupSpec spec;
  private final GroupPlan plan;
  private final long deadlineNs;
  private final Deadline deadline;
  private final GroupResources resources;
  private final StagingPool staging;
  private final GroupClock clock;
  private final InFlight inFlight;
  private final long[] progress;
  private final List<VulkanCollective> collectives = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean ending;
  private @Nullable BackendException failure;
  private boolean closed;

  VulkanGroup(GroupSpec spec, GroupPlan plan) {
    this.spec = spec;
    this.plan = plan;
    deadlineNs = nanoseconds(spec);
    deadline = new Deadline(deadlineNs);
    resources = new GroupResources(plan, spec.capacityBytes(), deadlineNs, spec.faults());
    staging = new StagingPool(localRanks(), spec.policy(), this, spec.faults());
    clock = new GroupClock(spec.ranks());
    progress = new long[resources.lanes().count()];
    inFlight = new InFlight(progress.length, resources.merges());
    LiveObjects.opened(KIND);
    SharedInstance.opened(this);
  }

  /** Deadlines of centuries are as good as one that fits half a long of nanoseconds. */
  private static long nanoseconds(GroupSpec spec) {
    try {
      return Math.min(spec.deadline().toNanos(), Long.MAX_VALUE / 2);
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE / 2;
    }
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
    return plan.choices();
  }

  @Override
  public void write(int rank, DataBuffer buffer, byte[] bytes) {
    lock.lock();
    try {
      requireIdle("write");
      Objects.checkIndex(rank, spec.ranks());
      Objects.checkFromIndexSize(0L, bytes.length, spec.capacityBytes());
      Site site = resources.sites().of(rank);
      resources
          .transfers(site.deviceIndex())
          .write(site.queue(), resources.memory().buffer(rank, buffer), 0, bytes);
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
      Site site = resources.sites().of(rank);
      resources
          .transfers(site.deviceIndex())
          .read(site.queue(), resources.memory().buffer(rank, buffer), byteOffset, into);
    } catch (BackendException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Collective prepare(Schedule schedule, Operands operands) {
    lock.lock();
    try {
      requireUsable();
      if (schedule.ranks() != spec.ranks()) {
        throw new IllegalArgumentException(
            "a schedule of " + schedule.ranks() + " ranks for a group of " + spec.ranks());
      }
      long bytes = (long) schedule.count() * spec.precision().element().bytes();
      if (bytes > spec.capacityBytes()) {
        throw new IllegalArgumentException(
            "a vector of " + bytes + " bytes, but the group's capacity is " + spec.capacityBytes());
      }
      Program program =
          Lowering.lower(
              schedule,
              spec.precision(),
              plan.choices().transport().value(),
              operands,
              plan.choices().barrier().value(),
              spec.inactiveRanks());
      VulkanCollective collective = new VulkanCollective(this, program);
      collectives.add(collective);
      return collective;
    } finally {
      lock.unlock();
    }
  }

  void enqueue(VulkanCollective collective) {
    lock.lock();
    try {
      requireUsable();
      if (collective.isClosed()) {
        throw new BackendException("the collective is closed");
      }
      if (inFlight.size() == MOST_IN_FLIGHT) {
        awaitEverything();
      }
      submit(collective);
    } catch (BackendException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  private void submit(VulkanCollective collective) {
    staging.ensure(collective.program());
    Recording recording = collective.recordingOf(staging.generation());
    if (recording == null) {
      recording = record(collective);
    }
    long startNs = System.nanoTime();
    // Whatever happens: what was submitted before a failure must be waited for too.
    inFlight.add(collective.program(), progress);
    try {
      recording.submit(clock, progress);
    } finally {
      for (int lane = 0; lane < progress.length; lane++) {
        progress[lane] += recording.steps(lane);
      }
    }
    clock.advance(collective.program());
    collective.submitted(System.nanoTime() - startNs);
  }

  private Recording record(VulkanCollective collective) {
    long startNs = System.nanoTime();
    boolean again = collective.wasRecorded();
    Recording made = new Recording(collective.program(), resources);
    collective.record(made, staging.generation());
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
      awaitEverything();
      long elapsedNs = System.nanoTime() - startNs;
      for (int i = 0; i < collectives.size(); i++) {
        collectives.get(i).awaited(elapsedNs);
      }
    } catch (BackendException e) {
      throw failed(e);
    } finally {
      lock.unlock();
    }
  }

  private void awaitEverything() {
    if (inFlight.isEmpty()) {
      return;
    }
    if (!reached()) {
      long[] values = new long[progress.length];
      for (int lane = 0; lane < values.length; lane++) {
        values[lane] = resources.lanes().value(lane);
      }
      throw inFlight.blame(values, deadlineNs);
    }
    clock.clear();
    inFlight.clear();
  }

  private boolean reached() {
    deadline.restart();
    for (long leftNs = deadline.leftNs(); leftNs >= 0; leftNs = deadline.leftNs()) {
      if (resources.lanes().await(progress, Math.min(leftNs, CHUNK_NS))) {
        return true;
      }
      resources.lanes().requireProxies();
      if (!closed) {
        requireGoingOn();
      }
    }
    return false;
  }

  private BackendException failed(BackendException e) {
    if (!closed && failure == null) {
      failure = e;
    }
    if (e instanceof VulkanException failed) {
      resources.sites().failed(failed);
    } else if (e.getCause() instanceof VulkanException failed) {
      resources.sites().failed(failed);
    }
    return e;
  }

  @Override
  public StagingStats staging() {
    return staging.stats();
  }

  void closeCollective(VulkanCollective collective) {
    lock.lock();
    try {
      if (collective.isClosed()) {
        return;
      }
      if (failure == null) {
        awaitEverything();
        resources.sites().drain();
        collectives.remove(collective);
        collective.free();
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
      boolean quiet = settle();
      LiveObjects.closed(KIND);
      if (!quiet) {
        throw new BackendException(
            "devices of the group still work after a second deadline; its memory, queues and"
                + " semaphores could not be freed");
      }
      SharedInstance.closed(this);
      drain();
      collectives.forEach(VulkanCollective::free);
      staging.freeAll();
      resources.close();
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    try {
      resources.sites().drain();
    } catch (VulkanException e) {
      // A lost device holds nothing any more.
      resources.sites().failed(e);
    }
  }

  /** Lets what is in flight end, releasing who waits for what will never come. */
  private boolean settle() {
    try {
      return copied()
          && (inFlight.isEmpty() || (failure == null && ended()) || released(deadlineNs));
    } catch (VulkanException e) {
      return false;
    }
  }

  private boolean copied() {
    try {
      return resources.transfersIdle(deadlineNs);
    } catch (VulkanException e) {
      resources.sites().failed(e);
      // A lost device executes nothing any more.
      return e.code() == VK_ERROR_DEVICE_LOST;
    }
  }

  private boolean ended() {
    try {
      return reached();
    } catch (VulkanException e) {
      resources.sites().failed(e);
      return false;
    } catch (BackendException e) {
      // A proxy ended.
      return false;
    }
  }

  private boolean released(long withinNs) {
    long startNs = System.nanoTime();
    for (long leftNs = withinNs; leftNs > 0; leftNs = withinNs - (System.nanoTime() - startNs)) {
      if (resources.lanes().release(progress, Math.min(leftNs, RELEASE_CHUNK_NS))) {
        return true;
      }
    }
    return false;
  }

  private void requireIdle(String operation) {
    requireUsable();
    if (!inFlight.isEmpty()) {
      throw new IllegalStateException(
          operation + " while a collective is in flight: call await() first");
    }
  }

  /** Another thread that closes the group waits for this one's lock. */
  private void requireGoingOn() {
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
    awaitEverything();
    resources.sites().drain();
  }

  @Override
  public void allocate(int rank, long bytes) {
    resources.memory().allocateSlots(rank, bytes);
  }

  @Override
  public void free(int rank) {
    resources.memory().freeSlots(rank);
  }
}
