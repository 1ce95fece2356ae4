package org.allreducelab.backends.opencl;

import java.util.List;
import org.allreducelab.backends.Backoff;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.PeerWait;
import org.allreducelab.backends.opencl.Recording.Step;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryUtil;

/**
 * Enqueues recordings into the queues of one context, and knows the events in flight.
 *
 * <p>A submission is its kernels in the rank's queue; the first waits for the events of peers, the
 * last gives the submission's own. A submission without kernels and due waits enqueues nothing: the
 * queue is in order, so it is complete when what came before it is.
 */
final class Submitter implements AutoCloseable {
  private final CommandQueue[] queues;
  private final EventLog[] logs;
  private final @Nullable Faults faults;
  private final @Nullable KernelTimes times;
  private @Nullable Recording timed;
  private final long waitList;
  private final long event = MemoryUtil.nmemAllocChecked(Long.BYTES);

  /**
   * @param queues one per lane
   * @param faults what goes wrong, or null
   * @param times where to note each kernel's event, on queues with profiling; or null
   */
  Submitter(CommandQueue[] queues, @Nullable Faults faults, @Nullable KernelTimes times) {
    this.times = times;
    this.queues = queues;
    this.faults = faults;
    logs = new EventLog[queues.length];
    for (int lane = 0; lane < queues.length; lane++) {
      logs[lane] = new EventLog(queues[lane].context());
    }
    waitList = MemoryUtil.nmemAllocChecked((long) Long.BYTES * queues.length);
  }

  void submit(Recording recording, GroupClock clock, long[] progress) {
    timed = recording;
    List<Step> steps = recording.steps();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (faults != null && faults.leavesOut(step, clock)) {
        logs[step.lane()].add(faults.standIn());
      } else {
        submit(step, clock, progress);
      }
    }
    flush();
  }

  private void flush() {
    for (CommandQueue queue : queues) {
      queue.flush();
    }
  }

  private void submit(Step step, GroupClock clock, long[] progress) {
    CommandQueue queue = queues[step.lane()];
    int due = collectWaits(step, clock, progress);
    List<Launch> launches = step.launches();
    boolean flips = faults != null && faults.flipsAfter(step, clock);
    if (launches.isEmpty() && due == 0) {
      logs[step.lane()].addNothing();
      return;
    }
    if (times != null && !launches.isEmpty()) {
      logs[step.lane()].addBorrowed(submitTimed(step, queue, due, times));
      return;
    }
    long own = step.asked() && !flips ? event : 0;
    MemoryUtil.memPutAddress(event, 0);
    if (launches.isEmpty()) {
      queue.marker(due, waitList, own);
    }
    for (int i = 0; i < launches.size(); i++) {
      launches
          .get(i)
          .enqueue(queue, i == 0 ? due : 0, waitList, i == launches.size() - 1 ? own : 0);
    }
    if (faults != null && flips) {
      faults.flip(queue, event);
    }
    logs[step.lane()].add(MemoryUtil.memGetAddress(event));
  }

  /** Every kernel has an event; returns the last one's. */
  private long submitTimed(Step step, CommandQueue queue, int due, KernelTimes noting) {
    List<Launch> launches = step.launches();
    for (int i = 0; i < launches.size(); i++) {
      launches.get(i).enqueue(queue, i == 0 ? due : 0, waitList, event);
      noting.add(step, MemoryUtil.memGetAddress(event));
    }
    return MemoryUtil.memGetAddress(event);
  }

  private int collectWaits(Step step, GroupClock clock, long[] progress) {
    int due = 0;
    for (int i = 0; i < step.waits().size(); i++) {
      PeerWait wait = step.waits().get(i);
      int peer = wait.peer();
      long value = wait.needed(progress[peer], clock.lateReader(step.rank(), peer));
      long awaited = value > 0 ? logs[peer].at(value) : 0;
      if (awaited != 0) {
        MemoryUtil.memPutAddress(waitList + (long) Long.BYTES * due++, awaited);
        queues[peer].flush();
      }
    }
    return due;
  }

  /** How many events are kept. */
  int events() {
    int events = 0;
    for (EventLog log : logs) {
      events += log.size();
    }
    return events;
  }

  /**
   * Waits until everything is complete, then releases the events. Polls: no OpenCL call waits with
   * a time limit.
   *
   * @return false if the time passed before
   */
  boolean await(long timeoutNs) {
    // Not flushed yet if a call failed in the middle of an invocation.
    flush();
    long startNs = System.nanoTime();
    int attempt = 0;
    for (EventLog log : logs) {
      while (!log.isComplete()) {
        if (Backoff.checksIn(attempt) && System.nanoTime() - startNs > timeoutNs) {
          return false;
        }
        Backoff.pause(attempt++);
      }
    }
    for (EventLog log : logs) {
      log.clear();
    }
    if (times != null && timed != null) {
      timed.timed(times.read());
      timed = null;
    }
    return true;
  }

  /** The value that a lane has certainly reached. */
  long reached(int lane) {
    return logs[lane].reached();
  }

  @Override
  public void close() {
    for (EventLog log : logs) {
      log.close();
    }
    if (times != null) {
      times.close();
    }
    MemoryUtil.nmemFree(waitList);
    MemoryUtil.nmemFree(event);
  }
}
