package org.allreducelab.backends.lowering;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.ElementaryIntervals;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Every rank's present value of every interval while a program is made: where it lies, when it was
 * written, and who read it last. What a round requires of other ranks follows from that.
 */
final class RankValues {
  private final Operands operands;
  private final Set<Integer> inactive;
  private final int ranks;
  private final boolean narrowsOwn;
  private final ElementaryIntervals intervals;
  private final List<PlacedRound> rounds;
  private final VersionTable versions;
  private ValueMap map;

  /** {@code [rank][interval]}: the present value. */
  private Version[][] present;

  /**
   * {@code [rank][interval]}: value of the submission that wrote the present value; for an input
   * the one that was the rank's last when the repetition began, 0 for none.
   */
  private final int[][] writtenAt;

  /** {@code [rank][interval]}: who has read the present value in place; null for nobody. */
  private final @Nullable Readers[][] readInPlace;

  private final int[][] lastReadBy;

  RankValues(
      Schedule schedule,
      Precision precision,
      Transport transport,
      Operands operands,
      Set<Integer> inactive) {
    this.operands = operands;
    this.inactive = inactive;
    ranks = schedule.ranks();
    boolean narrows = ranks > 1 && precision.wireFor(schedule.count()) != precision.element();
    narrowsOwn = narrows && precision.ownOperand() == OwnOperand.WIRE;
    boolean alwaysStaged = transport == Transport.STAGED_HOST || narrows;
    intervals = ElementaryIntervals.of(schedule);
    rounds = PlacedRound.of(schedule, intervals);
    versions = new VersionTable(ranks, intervals.size(), rounds, inputs(), alwaysStaged);
    map = inputs();
    present = versions.inputs();
    writtenAt = new int[ranks][intervals.size()];
    readInPlace = new Readers[ranks][intervals.size()];
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
    versions.forgetSlots();
    present = versions.inputs();
    for (int rank = 0; operands == Operands.OUT_OF_PLACE && rank < ranks; rank++) {
      Arrays.fill(writtenAt[rank], progress[rank]);
    }
  }

  ElementaryIntervals intervals() {
    return intervals;
  }

  /** The schedule's rounds. */
  List<PlacedRound> rounds() {
    return rounds;
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
    return present[rank][interval];
  }

  /** What the kernel that is being made makes of it. */
  Version next(int rank, int interval) {
    return Objects.requireNonNull(current(rank, interval).next);
  }

  /** {@code [r][q]}: the value of q's last submission that reads r's RECV or SLOT memory. */
  int[][] lastReadBy() {
    return lastReadBy;
  }

  // --- what is to be published ------------------------------------------------------------------

  /** Which present values of each rank a round reads staged that have not been published. */
  IntervalSets due(PlacedRound round) {
    IntervalSets due = new IntervalSets(ranks);
    round.byRank().forEach(ofRank -> ofRank.forEach(c -> addDue(c, due)));
    return due;
  }

  private void addDue(PlacedCombine placed, IntervalSets due) {
    Combine c = placed.combine();
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      for (int i = placed.from(); peer != c.rank() && i < placed.after(); i++) {
        Version read = current(peer, i);
        if (read.staged && read.slot == null) {
          due.add(peer, i);
        }
      }
    }
  }

  /** Removes the intervals that a round changes. */
  void remove(IntervalSets from, PlacedRound round) {
    for (List<PlacedCombine> ofRank : round.byRank()) {
      for (PlacedCombine c : ofRank) {
        for (int i = c.from(); i < c.after(); i++) {
          if (changes(c.combine(), i)) {
            from.remove(c.rank(), i);
          }
        }
      }
    }
  }

  // --- what is to be waited for -----------------------------------------------------------------

  /**
   * Per peer, the progress that the rank's combines of this round need; {@link
   * SubmissionLog#NOTHING} for none.
   *
   * @param required where that is written
   */
  void requirements(int rank, List<PlacedCombine> combines, int[] required) {
    Arrays.fill(required, SubmissionLog.NOTHING);
    for (PlacedCombine c : combines) {
      for (int i = c.from(); i < c.after(); i++) {
        if (changes(c.combine(), i)) {
          require(required, c.combine(), i);
        }
      }
    }
    required[rank] = SubmissionLog.NOTHING;
  }

  private void require(int[] required, Combine c, int interval) {
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      if (peer != c.rank() && location(peer, interval) != Space.NEGATIVE_ZERO) {
        required[peer] = Math.max(required[peer], availableAt(peer, interval));
      }
    }
    Readers readers = readInPlace[c.rank()][interval];
    if (readers != null) {
      readers.require(required);
    }
  }

  /** The owner's progress from which on its present value of the interval may be read. */
  private int availableAt(int owner, int interval) {
    Slot slot = current(owner, interval).slot;
    return slot != null ? slot.writtenAt : writtenAt[owner][interval];
  }

  /** Notes that a submission of the combine's rank reads its operands. */
  void noteReads(PlacedCombine placed, int value) {
    Combine c = placed.combine();
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      for (int i = placed.from(); peer != c.rank() && i < placed.after(); i++) {
        if (changes(c, i)) {
          noteRead(peer, i, c.rank(), value);
        }
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
      slot.readers.note(reader, value);
      lastReadBy[owner][reader] = value;
    } else if (location == Space.RECV) {
      Readers readers = readInPlace[owner][interval];
      if (readers == null) {
        readers = new Readers();
        readInPlace[owner][interval] = readers;
      }
      readers.note(reader, value);
      lastReadBy[owner][reader] = value;
    }
  }

  /** Notes that a submission of the combine's rank has written its results. */
  void noteWrites(PlacedCombine c, int value) {
    for (int i = c.from(); i < c.after(); i++) {
      if (changes(c.combine(), i)) {
        map.write(c.rank(), i);
        present[c.rank()][i] = next(c.rank(), i);
        writtenAt[c.rank()][i] = value;
        readInPlace[c.rank()][i] = null;
      }
    }
  }
}
