package org.allreducelab.harness.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;

/**
 * The pieces of the vector that a schedule never splits, named c0, c1, … in order; {@code all} if
 * it never splits the vector.
 *
 * @param spans the pieces
 */
record Chunks(List<Span> spans) {
  Chunks {
    spans = List.copyOf(spans);
  }

  static Chunks of(Schedule schedule) {
    TreeSet<Integer> borders = new TreeSet<>(List.of(0, schedule.count()));
    for (Round round : schedule.rounds()) {
      for (Combine combine : round.combines()) {
        borders.add(combine.span().offset());
        borders.add(combine.span().end());
      }
    }
    List<Span> spans = new ArrayList<>();
    int from = 0;
    for (int to : borders.tailSet(1)) {
      spans.add(Span.between(from, to));
      from = to;
    }
    return new Chunks(spans);
  }

  int size() {
    return spans.size();
  }

  /** Index of the chunk that starts at an element; the number of chunks for the vector's end. */
  int startingAt(int element) {
    for (int i = 0; i < spans.size(); i++) {
      if (spans.get(i).offset() == element) {
        return i;
      }
    }
    return spans.size();
  }

  /** {@code c2}, {@code c0-c3} or {@code all}. */
  String name(Span span) {
    return name(startingAt(span.offset()), startingAt(span.end()));
  }

  /** The name of chunks {@code [from, to)}. */
  String name(int from, int to) {
    if (from == 0 && to == spans.size()) {
      return "all";
    }
    return to - from == 1 ? "c" + from : "c" + from + "-c" + (to - 1);
  }

  /** {@code c0 = [0,2560)}, one for each chunk. */
  List<String> definitions() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < spans.size(); i++) {
      Span span = spans.get(i);
      lines.add("c" + i + " = [" + span.offset() + "," + span.end() + ")");
    }
    return lines;
  }
}
