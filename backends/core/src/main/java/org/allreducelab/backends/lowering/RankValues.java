package org.allreducelab.backends.lowering;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.ElementaryIntervals;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Every rank's present value of every interval while a program is made: where it lies, when it was
 * written, and who read it last. What a round requires of other ranks follows from that.
 */
final class RankValues {
  private final Schedule schedule;
  private final Operands operands;
  private final Set<Integer> inactive;
  private final int ranks;
  private final boolean narrowsOwn;
  private final boolean alwaysStaged;
  private final ElementaryIntervals intervals;
  private ValueMap map;
  private VersionTable versions;

  /**
   * {@code [rank][interval]}: value of the submission that wrote the present value; for an input
   * the one that was the rank's last when the repetition began, 0 for none.
   */
  private final int[][] writtenAt;

  /**
   * {@code [rank][interval][peer]}: value of the peer's last in-place read of the present value.
   */
  private final int[][] @Nullable [] readInPlace;

  private final int[][] lastReadBy;

  RankValues(
      Schedule schedule,
      Precision precision,
      Transport transport,
      Operands operands,
      Set<Integer> inactive) {
    this.schedule = schedule;
    this.operands = operands;
    this.inactive = inactive;
    ranks = schedule.ranks();
    boolean narrows = ranks > 1 && precision.wireFor(schedule.count()) != precision.element();
    narrowsOwn = narrows && precision.ownOperand() == OwnOperand.WIRE;
    alwaysStaged = transport == Transport.STAGED_HOST || narrows;
    intervals = ElementaryIntervals.of(schedule);
    map = inputs();
    versions = new VersionTable(schedule, intervals, inputs(), alwaysStaged);
    writtenAt = new int[ranks][intervals.size()];
    readInPlace = new int[ranks][intervals.size()][];
    lastReadBy = new int[ranks][ranks];
  }

  private ValueMap inputs() {
    return new ValueMap(ranks, intervals.size(), operands, inactive, narrowsOwn);
  }

  /**
   * Values are inputs again: in RECV what is there, in SEND as if its rank had just made it.
   *
   * @param progress per rank, its submissions so far
   */
  void beginAgain(int[] progress) {
    map = inputs();
    versions = new VersionTable(schedule, intervals, inputs(), alwaysStaged);
    for (int rank = 0; operands == Operands.OUT_OF_PLACE && rank < ranks; rank++) {
      Arrays.fill(writtenAt[rank], progress[rank]);
    }
  }

  ElementaryIntervals intervals() {
    return intervals;
  }

  /** Whether a rank's own operand loses bits on the wire type. */
  boolean narrowsOwn() {
    return narrowsOwn;
  }

  Space location(int rank, int interval) {
    return map.location(rank, interval);
  }

  /** Whether the combine has anything to do on that interval. */
  boolean changes(Combine c, int interval) {
    return map.changes(c, interval);
  }

  Version current(int rank, int interval) {
    return versions.get(rank, interval, map.version(rank, interval));
  }

  /** What the kernel that is being made makes of it. */
  Version next(int rank, int interval) {
    return versions.get(rank, interval, map.version(rank, interval) + 1);
  }

  /** {@code [r][q]}: the value of q's last submission that reads r's RECV or SLOT memory. */
  int[][] lastReadBy() {
    return lastReadBy;
  }

  // --- what is to be published ------------------------------------------------------------------

  /** No interval of any rank. */
  boolean[][] none() {
    return new boolean[ranks][intervals.size()];
  }

  /** Which present values of each rank a round reads staged that have not been published. */
  boolean[][] due(Round round) {
    boolean[][] due = none();
    for (Combine c : round.combines()) {
      for (int k = 0; k < c.operandCount(); k++) {
        int peer = c.operand(k);
        if (peer != c.rank()) {
          forEachInterval(c, i -> due[peer][i] |= isUnpublished(current(peer, i)));
        }
      }
    }
    return due;
  }

  private static boolean isUnpublished(Version version) {
    return version.staged && version.slot == null;
  }

  /** Removes the intervals that a round changes. */
  void remove(boolean[][] from, Round round) {
    for (Combine c : round.combines()) {
      forEachChange(c, i -> from[c.rank()][i] = false);
    }
  }

  // --- what is to be waited for -----------------------------------------------------------------

  /**
   * Per peer, the progress that the rank's combines of this round need; {@link
   * SubmissionLog#NOTHING} for none.
   */
  int[] requirements(int rank, List<Combine> combines) {
    int[] required = new int[ranks];
    Arrays.fill(required, SubmissionLog.NOTHING);
    for (Combine c : combines) {
      forEachChange(c, i -> require(required, c, i));
    }
    required[rank] = SubmissionLog.NOTHING;
    return required;
  }

  private void require(int[] required, Combine c, int interval) {
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      if (peer != c.rank() && location(peer, interval) != Space.NEGATIVE_ZERO) {
        required[peer] = Math.max(required[peer], availableAt(peer, interval));
      }
    }
    int[] readers = readInPlace[c.rank()][interval];
    for (int peer = 0; readers != null && peer < ranks; peer++) {
      if (readers[peer] > 0) {
        required[peer] = Math.max(required[peer], readers[peer]);
      }
    }
  }

  /** The owner's progress from which on its present value of the interval may be read. */
  private int availableAt(int owner, int interval) {
    Slot slot = current(owner, interval).slot;
    return slot != null ? slot.writtenAt : writtenAt[owner][interval];
  }

  /** Notes that a submission of the combine's rank reads its operands. */
  void noteReads(Combine c, int value) {
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      if (peer != c.rank()) {
        forEachChange(c, i -> noteRead(peer, i, c.rank(), value));
      }
    }
  }

  private void noteRead(int owner, int interval, int reader, int value) {
    Space location = location(owner, interval);
    if (location == Space.NEGATIVE_ZERO) {
      return;
    }
    Slot slot = current(owner, interval).slot;
    if (slot != null) {
      slot.pendingReads--;
      slot.readBy[reader] = value;
      lastReadBy[owner][reader] = value;
    } else if (location == Space.RECV) {
      int[] readers = readInPlace[owner][interval];
      if (readers == null) {
        readers = new int[ranks];
        readInPlace[owner][interval] = readers;
      }
      readers[reader] = value;
      lastReadBy[owner][reader] = value;
    }
  }

  /** Notes that a submission of the combine's rank has written its results. */
  void noteWrites(Combine c, int value) {
    forEachChange(
        c,
        i -> {
          map.write(c.rank(), i);
          writtenAt[c.rank()][i] = value;
          readInPlace[c.rank()][i] = null;
        });
  }

  private void forEachChange(Combine c, IntConsumer action) {
    forEachInterval(
        c,
        i -> {
          if (changes(c, i)) {
            action.accept(i);
          }
        });
  }

  private void forEachInterval(Combine c, IntConsumer action) {
    if (c.span().isEmpty()) {
      return;
    }
    int after = intervals.startingAt(c.span().end());
    for (int i = intervals.startingAt(c.span().offset()); i < after; i++) {
      action.accept(i);
    }
  }
}
