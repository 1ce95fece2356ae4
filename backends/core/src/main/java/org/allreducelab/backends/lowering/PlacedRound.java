package org.allreducelab.backends.lowering;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.ElementaryIntervals;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;

/**
 * A round's combines that move anything, sorted once for all repetitions.
 *
 * @param byRank in the round's order, a list per rank
 */
record PlacedRound(List<List<PlacedCombine>> byRank) {

  /** The rounds of a schedule. */
  static List<PlacedRound> of(Schedule schedule, ElementaryIntervals intervals) {
    List<PlacedRound> placed = new ArrayList<>();
    for (Round round : schedule.rounds()) {
      placed.add(of(round, schedule.ranks(), intervals));
    }
    return placed;
  }

  private static PlacedRound of(Round round, int ranks, ElementaryIntervals intervals) {
    List<List<PlacedCombine>> byRank = new ArrayList<>(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      byRank.add(new ArrayList<>(1));
    }
    for (Combine c : round.combines()) {
      if (!c.span().isEmpty()) {
        int from = intervals.startingAt(c.span().offset());
        int after = intervals.startingAt(c.span().end());
        byRank.get(c.rank()).add(new PlacedCombine(c, from, after));
      }
    }
    return new PlacedRound(byRank);
  }

  List<PlacedCombine> ofRank(int rank) {
    return byRank.get(rank);
  }
}
