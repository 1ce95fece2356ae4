package org.allreducelab.algorithms;

import java.util.List;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;

/** What all algorithms share: argument checks, the case of one rank, and when rounds are kept. */
abstract class RoundwiseAlgorithm implements Algorithm {
  /** Up to here a schedule is a few thousand combines: kept, so that it is made only once. */
  private static final int MAX_RANKS_KEPT = 64;

  @Override
  public final Schedule plan(int ranks, int count, int granule) {
    Schedule.requireShape(ranks, count);
    if (granule < 1) {
      throw new IllegalArgumentException("granule must be at least 1, not " + granule);
    }
    if (ranks == 1) {
      Combine copy = new Combine(0, new Span(0, count), 0);
      return new Schedule(1, count, List.of(new Round(List.of(copy))));
    }
    LazyRounds rounds = rounds(ranks, new Span(0, count), granule);
    List<Round> kept = ranks <= MAX_RANKS_KEPT ? List.copyOf(rounds) : rounds;
    return new Schedule(ranks, count, kept);
  }

  /**
   * The rounds for at least two ranks.
   *
   * @param ranks number of ranks, ≥ 2
   * @param whole all elements of the vector; may be empty
   * @param granule ≥ 1
   */
  abstract LazyRounds rounds(int ranks, Span whole, int granule);
}
