package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.schedule.Combine;

/**
 * Every value each interval will have, who reads it, and whether it must be staged: known for the
 * whole schedule before anything is emitted, so that a fold can publish its result at once.
 *
 * <p>A value is staged when the transport has peers read slots only, when the wire narrows it, or
 * when its owner overwrites it in a round in which a peer reads it.
 */
final class VersionTable {
  /** {@code [rank][interval]}: the value before the first round; others follow from it. */
  private final Version[][] inputs;

  /** {@code [rank][interval]}: the value that the walk has come to. */
  private final Version[][] present;

  private final ValueMap values;
  private final boolean alwaysStaged;

  /**
   * Walks the schedule.
   *
   * @param rounds the schedule's
   * @param values the state before the first round; left as after the last one
   * @param alwaysStaged whether every value that a peer reads is staged
   */
  VersionTable(
      int ranks, int intervals, List<PlacedRound> rounds, ValueMap values, boolean alwaysStaged) {
    this.values = values;
    this.alwaysStaged = alwaysStaged;
    inputs = new Version[ranks][intervals];
    present = new Version[ranks][];
    for (int rank = 0; rank < ranks; rank++) {
      for (int i = 0; i < intervals; i++) {
        inputs[rank][i] = new Version();
      }
      present[rank] = inputs[rank].clone();
    }
    int[][] writtenIn = new int[ranks][intervals];
    int mark = 0;
    for (PlacedRound round : rounds) {
      walk(round, writtenIn, ++mark);
    }
  }

  private void walk(PlacedRound round, int[][] writtenIn, int mark) {
    List<int[]> writes = new ArrayList<>();
    for (List<PlacedCombine> ofRank : round.byRank()) {
      for (PlacedCombine c : ofRank) {
        for (int i = c.from(); i < c.after(); i++) {
          if (values.changes(c.combine(), i)) {
            writtenIn[c.rank()][i] = mark;
            writes.add(new int[] {c.rank(), i});
          }
        }
      }
    }
    round.byRank().forEach(ofRank -> ofRank.forEach(c -> noteReads(c, writtenIn, mark)));
    for (int[] write : writes) {
      values.write(write[0], write[1]);
      Version made = new Version();
      present[write[0]][write[1]].next = made;
      present[write[0]][write[1]] = made;
    }
  }

  private void noteReads(PlacedCombine placed, int[][] writtenIn, int mark) {
    Combine c = placed.combine();
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      for (int i = placed.from(); peer != c.rank() && i < placed.after(); i++) {
        if (values.location(peer, i) == Space.NEGATIVE_ZERO) {
          continue;
        }
        Version read = present[peer][i];
        read.reads++;
        if (alwaysStaged || (writtenIn[peer][i] == mark && values.overwrites(peer, i))) {
          read.staged = true;
        }
      }
    }
  }

  /**
   * The values before the first round, none of them published: {@code [rank][interval]}, a copy.
   */
  Version[][] inputs() {
    Version[][] copy = new Version[inputs.length][];
    for (int rank = 0; rank < copy.length; rank++) {
      copy[rank] = inputs[rank].clone();
    }
    return copy;
  }

  /** Forgets which slots values were published to: none is in this repetition. */
  void forgetSlots() {
    for (Version[] ofRank : inputs) {
      for (Version input : ofRank) {
        for (Version v = input; v != null; v = v.next) {
          v.slot = null;
        }
      }
    }
  }
}
