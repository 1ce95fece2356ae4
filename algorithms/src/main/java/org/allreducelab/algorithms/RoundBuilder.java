package org.allreducelab.algorithms;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/** Collects the combines of one round and leaves out those that move nothing. */
final class RoundBuilder {
  private final List<Combine> combines = new ArrayList<>();

  /** Adds a combine unless the span is empty. */
  RoundBuilder combine(int rank, Span span, int... operands) {
    if (!span.isEmpty()) {
      combines.add(new Combine(rank, span, operands));
    }
    return this;
  }

  /** Adds the fold of two ranks' values, the lower rank first. */
  RoundBuilder combinePair(int rank, Span span, int oneRank, int otherRank) {
    return combine(rank, span, Math.min(oneRank, otherRank), Math.max(oneRank, otherRank));
  }

  Round build() {
    return new Round(combines);
  }
}
