package org.allreducelab.backends.lowering;

import java.util.Arrays;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;

/**
 * The vector cut at every span border of a schedule: within one interval all elements have the same
 * history, so hazards are a matter of intervals.
 */
final class Intervals {
  private final int[] borders;

  private Intervals(int[] borders) {
    this.borders = borders;
  }

  static Intervals of(Schedule schedule) {
    int[] all = new int[64];
    int used = 0;
    for (Round round : schedule.rounds()) {
      for (Combine c : round.combines()) {
        if (used + 2 > all.length) {
          used = distinct(all, used);
          all = Arrays.copyOf(all, Math.max(all.length, 4 * used));
        }
        all[used++] = c.span().offset();
        all[used++] = c.span().end();
      }
    }
    return new Intervals(Arrays.copyOf(all, distinct(all, used)));
  }

  private static int distinct(int[] values, int used) {
    Arrays.sort(values, 0, used);
    int kept = 0;
    for (int i = 0; i < used; i++) {
      if (kept == 0 || values[i] != values[kept - 1]) {
        values[kept++] = values[i];
      }
    }
    return kept;
  }

  int size() {
    return Math.max(0, borders.length - 1);
  }

  int start(int interval) {
    return borders[interval];
  }

  int length(int interval) {
    return borders[interval + 1] - borders[interval];
  }

  /** First interval of a span; with {@link #after} the range of its intervals. */
  int first(Span span) {
    return Arrays.binarySearch(borders, span.offset());
  }

  /** The interval after the last one of a span. */
  int after(Span span) {
    return Arrays.binarySearch(borders, span.end());
  }
}
