package org.allreducelab.backends.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DeadlineException;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Submission;
import org.allreducelab.backends.lowering.Wait;
import org.jspecify.annotations.Nullable;

/**
 * The invocations since the last wait for everything, to find out who is to blame when one does not
 * end. Grows to the most ever in flight, then allocates nothing.
 */
final class InFlight {
  private final int lanes;
  private final boolean merged;
  private @Nullable Program[] programs = new Program[16];
  private long[] bases;
  private int size;

  /**
   * @param lanes number of lanes
   * @param merged whether an invocation is one step of one lane
   */
  InFlight(int lanes, boolean merged) {
    this.lanes = lanes;
    this.merged = merged;
    bases = new long[16 * lanes];
  }

  /** Notes an invocation; {@code progress} is each lane's value before it. */
  void add(Program program, long[] progress) {
    if (size == programs.length) {
      programs = Arrays.copyOf(programs, 2 * size);
      bases = Arrays.copyOf(bases, 2 * size * lanes);
    }
    programs[size] = program;
    System.arraycopy(progress, 0, bases, size * lanes, lanes);
    size++;
  }

  void clear() {
    Arrays.fill(programs, 0, size, null);
    size = 0;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /**
   * What a lane does next.
   *
   * @param order its place in the global order of everything in flight
   * @param peer the rank it waits for
   */
  private record Pending(Submission submission, long order, int peer) {}

  /**
   * Who stopped. All that comes before the first unfinished submission in the global order is done,
   * so nothing keeps that one waiting, not even a queue it shares: its rank has stopped. It is
   * named with a rank that waits for it where there is one. Where a step has submissions of several
   * ranks, they end together, and the first of them is named for all.
   *
   * @param reached per lane, its present value
   */
  BackendException blame(long[] reached, long deadlineNs) {
    List<Pending> pending = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      Pending next = pending(lane, reached);
      if (next != null) {
        pending.add(next);
      }
    }
    if (pending.isEmpty()) {
      return new BackendException("all ranks were done just after the deadline");
    }
    pending.sort(Comparator.comparingLong(Pending::order));
    Pending stopped = pending.get(0);
    for (Pending p : pending) {
      if (p.peer() == stopped.submission().rank()) {
        return exception(p, deadlineNs);
      }
    }
    return exception(stopped, deadlineNs);
  }

  private static DeadlineException exception(Pending p, long deadlineNs) {
    return new DeadlineException(
        p.submission().rank(), p.submission().operation(), p.peer(), deadlineNs);
  }

  private @Nullable Pending pending(int lane, long[] reached) {
    for (int i = 0; i < size; i++) {
      Program program = programs[i];
      long done = reached[lane] - bases[i * lanes + lane];
      int next = program == null ? -1 : next(program, lane, done);
      if (program != null && next >= 0) {
        Submission s = program.submissions().get(next);
        int peer = lanes == 1 ? DeadlineException.NO_PEER : awaited(s, i, reached);
        return new Pending(s, ((long) i << 32) + next, peer);
      }
    }
    return null;
  }

  /** Index of a lane's step after {@code done} others, or -1 if an invocation has no more. */
  private int next(Program program, int lane, long done) {
    if (merged) {
      return done < 1 ? 0 : -1;
    }
    long position = 0;
    for (int i = 0; i < program.submissions().size(); i++) {
      boolean ofLane = lanes == 1 || program.submissions().get(i).rank() == lane;
      if (ofLane && position++ == done) {
        return i;
      }
    }
    return -1;
  }

  private int awaited(Submission s, int invocation, long[] reached) {
    for (Wait wait : s.waits()) {
      if (reached[wait.rank()] < bases[invocation * lanes + wait.rank()] + wait.value()) {
        return wait.rank();
      }
    }
    return DeadlineException.NO_PEER;
  }
}
