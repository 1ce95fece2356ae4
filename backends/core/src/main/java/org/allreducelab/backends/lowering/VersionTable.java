package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.ElementaryIntervals;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;

/**
 * Every value each interval will have, who reads it, and whether it must be staged: known for the
 * whole schedule before anything is emitted, so that a fold can publish its result at once.
 *
 * <p>A value is staged when the transport has peers read slots only, when the wire narrows it, or
 * when its owner overwrites it in a round in which a peer reads it.
 */
final class VersionTable {
  private final List<List<List<Version>>> versions = new ArrayList<>();

  /**
   * Walks the schedule.
   *
   * @param values the state before the first round; left as after the last one
   * @param alwaysStaged whether every value that a peer reads is staged
   */
  VersionTable(
      Schedule schedule, ElementaryIntervals intervals, ValueMap values, boolean alwaysStaged) {
    for (int rank = 0; rank < schedule.ranks(); rank++) {
      List<List<Version>> ofRank = new ArrayList<>();
      for (int i = 0; i < intervals.size(); i++) {
        List<Version> history = new ArrayList<>();
        history.add(new Version());
        ofRank.add(history);
      }
      versions.add(ofRank);
    }
    int[][] writtenIn = new int[schedule.ranks()][intervals.size()];
    int number = 0;
    for (Round round : schedule.rounds()) {
      int mark = ++number;
      forEachChange(round, intervals, values, (c, i) -> writtenIn[c.rank()][i] = mark);
      for (Combine c : round.combines()) {
        noteReads(c, intervals, values, alwaysStaged, writtenIn, mark);
      }
      List<int[]> writes = new ArrayList<>();
      forEachChange(round, intervals, values, (c, i) -> writes.add(new int[] {c.rank(), i}));
      for (int[] write : writes) {
        values.write(write[0], write[1]);
        versions.get(write[0]).get(write[1]).add(new Version());
      }
    }
  }

  private void noteReads(
      Combine c,
      ElementaryIntervals intervals,
      ValueMap values,
      boolean alwaysStaged,
      int[][] writtenIn,
      int mark) {
    if (c.span().isEmpty()) {
      return;
    }
    for (int k = 0; k < c.operandCount(); k++) {
      int peer = c.operand(k);
      if (peer == c.rank()) {
        continue;
      }
      for (int i = intervals.startingAt(c.span().offset());
          i < intervals.startingAt(c.span().end());
          i++) {
        if (values.location(peer, i) == Space.NEGATIVE_ZERO) {
          continue;
        }
        Version read = get(peer, i, values.version(peer, i));
        read.reads++;
        if (alwaysStaged || (writtenIn[peer][i] == mark && values.overwrites(peer, i))) {
          read.staged = true;
        }
      }
    }
  }

  private static void forEachChange(
      Round round,
      ElementaryIntervals intervals,
      ValueMap values,
      BiConsumer<Combine, Integer> action) {
    for (Combine c : round.combines()) {
      if (c.span().isEmpty()) {
        continue;
      }
      for (int i = intervals.startingAt(c.span().offset());
          i < intervals.startingAt(c.span().end());
          i++) {
        if (values.changes(c, i)) {
          action.accept(c, i);
        }
      }
    }
  }

  Version get(int rank, int interval, int number) {
    return versions.get(rank).get(interval).get(number);
  }
}
