package org.allreducelab.backends.device;

import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.PaddedCounters;
import org.allreducelab.backends.lowering.GroupClock;
import org.jspecify.annotations.Nullable;

/**
 * What the rank threads of a group share: each rank's progress, the invocations in flight, and why
 * to stop.
 *
 * <p>Invocations are written by the thread that enqueues before it counts them up, and read by rank
 * threads after they have seen the count; a place is used again only after everything in flight is
 * done.
 */
final class HostRun {
  /** Invocations in flight at most. */
  static final int MOST_IN_FLIGHT = 64;

  final int ranks;
  final FaultPlan faults;
  final HostSlots slots;

  /** How many of its submissions each rank has completed. */
  final PaddedCounters progress;

  private final Invocation[] invocations = new Invocation[MOST_IN_FLIGHT];
  private volatile long enqueued;

  /** Nobody executes or waits any more: all go to the end of what was enqueued. */
  volatile boolean released;

  volatile boolean closing;
  private volatile @Nullable RuntimeException failure;
  private volatile int failedRank = -1;

  HostRun(int ranks, FaultPlan faults, HostSlots slots) {
    this.ranks = ranks;
    this.faults = faults;
    this.slots = slots;
    progress = new PaddedCounters(ranks);
    for (int i = 0; i < invocations.length; i++) {
      invocations[i] = new Invocation(ranks);
    }
  }

  /** An invocation of a recording. */
  static final class Invocation {
    private final long[] start;
    private final long[] lateReader;
    private @Nullable HostRecording recording;

    Invocation(int ranks) {
      start = new long[ranks];
      lateReader = new long[ranks * ranks];
    }

    HostRecording recording() {
      HostRecording present = recording;
      if (present == null) {
        throw new IllegalStateException("no invocation there");
      }
      return present;
    }

    /** A rank's progress before it. */
    long start(int rank) {
      return start[rank];
    }

    /** The progress after which {@code reader} no longer reads {@code owner}'s slots. */
    long lateReader(int owner, int reader) {
      return lateReader[owner * start.length + reader];
    }
  }

  void enqueue(HostRecording recording, GroupClock clock, long[] start) {
    Invocation next = invocations[(int) (enqueued % MOST_IN_FLIGHT)];
    next.recording = recording;
    System.arraycopy(start, 0, next.start, 0, ranks);
    for (int owner = 0; owner < ranks; owner++) {
      for (int reader = 0; reader < ranks; reader++) {
        next.lateReader[owner * ranks + reader] = clock.lateReader(owner, reader);
      }
    }
    long count = enqueued + 1;
    enqueued = count;
  }

  long enqueued() {
    return enqueued;
  }

  Invocation invocation(long number) {
    return invocations[(int) (number % MOST_IN_FLIGHT)];
  }

  void failed(int rank, RuntimeException e) {
    failedRank = rank;
    failure = e;
  }

  /** What ended a rank, or null. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  int failedRank() {
    return failedRank;
  }
}
