package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/** Members of a power-of-two core swap their whole vectors, step by step, and add. */
final class WholeVectorExchange {
  private WholeVectorExchange() {}

  /** log2 p rounds; both members of a pair fold (lower rank, higher rank). */
  static LazyRounds rounds(PowerOfTwoCore core, Pairing pairing, Span whole) {
    return new LazyRounds(Log2.floor(core.size()), step -> round(core, pairing, whole, step));
  }

  private static Round round(PowerOfTwoCore core, Pairing pairing, Span whole, int step) {
    RoundBuilder round = new RoundBuilder();
    for (int member = 0; member < core.size(); member++) {
      int rank = core.rank(member);
      round.combinePair(rank, whole, rank, core.rank(pairing.peer(member, step)));
    }
    return round.build();
  }
}
