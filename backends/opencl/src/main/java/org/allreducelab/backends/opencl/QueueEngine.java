package org.allreducelab.backends.opencl;

import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.device.DeviceEngine;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/** All ranks in one context, with a queue each or one for all; events are the signals. */
final class QueueEngine implements DeviceEngine<Recording> {
  private static final int MOST_INVOCATIONS = 1024;

  /** Events in flight cost the driver memory and time. */
  private static final int MOST_EVENTS = 16384;

  private final KernelTraits traits;
  private final boolean timed;
  private final DeviceContext context;
  private final CommandQueue[] queues;
  private final ContextMemory memory;
  private final Submitter submitter;
  private final @Nullable Faults faults;
  private final Closing made;
  private boolean aborted;

  QueueEngine(GroupSpec spec, GroupPlan plan) {
    traits = plan.traits().get(0);
    // With faults to inject nobody asks for times.
    timed = spec.timestamps() && spec.faults().equals(FaultPlan.NONE);
    int ranks = plan.ranks();
    boolean shared = plan.choices().placement().value() == Placement.SINGLE_QUEUE;
    context = ContextPool.take(plan.devices().get(0), CallFaults.of(spec.faults()));
    queues = new CommandQueue[shared ? 1 : ranks];
    try (Closing closing = new Closing()) {
      for (int lane = 0; lane < queues.length; lane++) {
        queues[lane] = closing.keep(new CommandQueue(context, timed));
      }
      boolean onHost = plan.choices().transport().value() == Transport.STAGED_HOST;
      memory = closing.keep(new ContextMemory(context, ranks, spec.capacityBytes(), onHost));
      FaultPlan plannedFaults = spec.faults();
      boolean faulty = plannedFaults.stall() != null || plannedFaults.bitFlip() != null;
      faults = faulty ? new Faults(plannedFaults, context, memory, shared) : null;
      submitter = closing.keep(new Submitter(queues, faults, timed ? kernelTimes() : null));
      made = closing.handOver();
    } catch (RuntimeException e) {
      ContextPool.discard(context);
      throw e;
    }
  }

  private KernelTimes kernelTimes() {
    return new KernelTimes(new EventProfile(context), queues.length);
  }

  private CommandQueue queueOf(int rank) {
    return queues[queues.length == 1 ? 0 : rank];
  }

  @Override
  public int lanes() {
    return queues.length;
  }

  @Override
  public boolean merges() {
    return false;
  }

  @Override
  public void write(int rank, DataBuffer buffer, byte[] bytes) {
    queueOf(rank).write(memory.buffer(rank, buffer), 0, bytes);
  }

  @Override
  public void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
    queueOf(rank).read(memory.buffer(rank, buffer), byteOffset, into);
  }

  @Override
  public void allocateSlots(int rank, int buffer, long bytes) {
    memory.allocateSlots(rank, buffer, bytes);
  }

  @Override
  public void freeSlots(int rank, int buffer) {
    memory.freeSlots(rank, buffer);
  }

  @Override
  public void pick(StagingUse use) {
    memory.pick(use);
  }

  @Override
  public Recording record(Program program) {
    return new Recording(
        program, queues.length, new LaunchList(program, queues[0], traits, rank -> true, memory));
  }

  @Override
  public boolean hasRoom(int invocations) {
    // Timed ones go one by one.
    return invocations < (timed ? 1 : MOST_INVOCATIONS) && submitter.events() < MOST_EVENTS;
  }

  @Override
  public void submit(Recording recording, GroupClock clock, long[] progress) {
    submitter.submit(recording, clock, progress);
  }

  @Override
  public boolean await(long[] values, long timeoutNs) {
    try {
      return submitter.await(timeoutNs);
    } catch (DriverException e) {
      aborted = true;
      throw e;
    }
  }

  @Override
  public long value(int lane) {
    return submitter.reached(lane);
  }

  /** Nothing: events of completed commands hold nothing that is about to be freed. */
  @Override
  public void drain() {}

  /** True: {@link #write} and {@link #read} return when they are done, or failed. */
  @Override
  public boolean copiesEnd(long timeoutNs) {
    return true;
  }

  /** A command that ended abnormally ends those that wait for it: nothing executes any more. */
  @Override
  public boolean release(long[] values, long timeoutNs) {
    if (faults != null) {
      faults.release();
    }
    try {
      return aborted || submitter.await(timeoutNs);
    } catch (DriverException e) {
      aborted = true;
      return true;
    }
  }

  /** Nothing: the context knows which of its calls failed. */
  @Override
  public void failed(BackendException failure) {}

  @Override
  public void opened(Group group) {
    ContextPool.opened(group);
  }

  @Override
  public void closed(Group group) {
    ContextPool.closed(group);
  }

  @Override
  public void close() {
    made.close();
    ContextPool.giveBack(context);
  }
}
