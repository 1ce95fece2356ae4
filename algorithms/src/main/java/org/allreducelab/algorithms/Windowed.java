package org.allreducelab.algorithms;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Another algorithm, applied to consecutive windows of the vector, one after the other.
 *
 * <pre>
 * vector   |  window 0  |  window 1  |  window 2  | rest |
 * rounds    0 1 … k−1    k … 2k−1     2k …         3k …
 * </pre>
 *
 * <ul>
 *   <li>Rounds: those of the algorithm for each window.
 *   <li>Wire, add depth: those of the algorithm.
 *   <li>Bytes: where the order of additions depends on an element's position in the vector (ring,
 *       trees with halves, circulant), windows change it. So a window's length is part of a
 *       result's key.
 *   <li>Wins: where memory for staging is bounded: run {@linkplain #parts window by window}, it
 *       need not hold more than one of them.
 * </ul>
 */
public final class Windowed implements Algorithm {
  private final Algorithm algorithm;
  private final int window;

  /**
   * @param algorithm what to apply
   * @param window elements of a window, ≥ 1; the last one may be shorter
   */
  public Windowed(Algorithm algorithm, int window) {
    if (window < 1) {
      throw new IllegalArgumentException("a window needs at least 1 element, not " + window);
    }
    this.algorithm = algorithm;
    this.window = window;
  }

  /** The name of the algorithm: the window is a part of the key of its own. */
  @Override
  public String name() {
    return algorithm.name();
  }

  @Override
  public Schedule plan(int ranks, int count, int granule) {
    List<Schedule> parts = parts(ranks, count, granule);
    return parts.size() == 1
        ? parts.get(0)
        : new Schedule(
            ranks, count, parts.stream().flatMap(part -> part.rounds().stream()).toList());
  }

  /**
   * The windows one by one: each a schedule for the whole vector that touches its window only. Run
   * in order they are what {@link #plan} says.
   */
  public List<Schedule> parts(int ranks, int count, int granule) {
    if (count <= window || ranks == 1) {
      return List.of(algorithm.plan(ranks, count, granule));
    }
    List<Schedule> parts = new ArrayList<>();
    for (int from = 0; from < count; from += Math.min(window, count - from)) {
      List<Round> rounds = new ArrayList<>();
      int length = Math.min(window, count - from);
      for (Round round : algorithm.plan(ranks, length, granule).rounds()) {
        rounds.add(shifted(round, from));
      }
      parts.add(new Schedule(ranks, count, rounds));
    }
    return parts;
  }

  /** Elements of a window. */
  public int window() {
    return window;
  }

  private static Round shifted(Round round, int by) {
    if (by == 0) {
      return round;
    }
    return new Round(
        round.combines().stream()
            .map(
                c ->
                    new Combine(
                        c.rank(),
                        new Span(c.span().offset() + by, c.span().length()),
                        c.operands()))
            .toList());
  }
}
