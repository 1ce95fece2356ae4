package org.allreducelab.algorithms.schedule;

import java.util.Arrays;

/**
 * The vector cut at every border of every span of a schedule: all elements of one interval have the
 * same history on every rank, so one symbol stands for them.
 */
public final class ElementaryIntervals {
  private final int[] borders;

  private ElementaryIntervals(int[] borders) {
    this.borders = borders;
  }

  /** Cuts the schedule's vector. */
  public static ElementaryIntervals of(Schedule schedule) {
    IntSet borders = new IntSet();
    borders.add(0);
    borders.add(schedule.count());
    for (Round round : schedule.rounds()) {
      for (Combine combine : round.combines()) {
        if (!combine.span().isEmpty()) {
          borders.add(combine.span().offset());
          borders.add(combine.span().end());
        }
      }
    }
    return new ElementaryIntervals(borders.toSortedArray());
  }

  /** Number of intervals; 0 for an empty vector. */
  public int size() {
    return borders.length - 1;
  }

  /** Index of the interval that starts at a border of a span that is not empty. */
  public int startingAt(int border) {
    return Arrays.binarySearch(borders, border);
  }

  /** The elements of intervals {@code from} (inclusive) to {@code to} (exclusive). */
  public Span span(int from, int to) {
    return Span.between(borders[from], borders[to]);
  }
}
