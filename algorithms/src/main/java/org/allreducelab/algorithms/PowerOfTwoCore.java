package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * The ranks that remain when those beyond a power of two are folded in: members 0..p−1, each one
 * rank. For n ≠ p it adds a round before and a round after what the members do.
 */
final class PowerOfTwoCore {
  private final int size;
  private final int extras;
  private final FoldRule rule;

  PowerOfTwoCore(int ranks, FoldRule rule) {
    this.size = Integer.highestOneBit(ranks);
    this.extras = ranks - size;
    this.rule = rule;
  }

  /** p, the number of members. */
  int size() {
    return size;
  }

  /** The rank of a member. Ascending, so the lower member is the lower rank. */
  int rank(int member) {
    return switch (rule) {
      case HIGH -> member;
      case ADJACENT -> member < extras ? 2 * member : member + extras;
    };
  }

  /** The rank folded into a member that has one, that is {@code member < n−p}. */
  private int extraOf(int member) {
    return switch (rule) {
      case HIGH -> member + size;
      case ADJACENT -> 2 * member + 1;
    };
  }

  /** The members' rounds, framed by folding the extra ranks in and handing them the result. */
  LazyRounds frame(LazyRounds members, Span whole) {
    if (extras == 0) {
      return members;
    }
    int last = members.size() + 1;
    return new LazyRounds(
        members.size() + 2,
        index -> {
          if (index == 0) {
            return foldIn(whole);
          }
          return index == last ? handOut(whole) : members.get(index - 1);
        });
  }

  private Round foldIn(Span whole) {
    RoundBuilder round = new RoundBuilder();
    for (int member = 0; member < extras; member++) {
      round.combine(rank(member), whole, rank(member), extraOf(member));
    }
    return round.build();
  }

  /** A gather of its own: all members copy themselves, so that they keep what the wire carries. */
  private Round handOut(Span whole) {
    RoundBuilder round = new RoundBuilder();
    for (int member = 0; member < size; member++) {
      round.combine(rank(member), whole, rank(member));
    }
    for (int member = 0; member < extras; member++) {
      round.combine(extraOf(member), whole, rank(member));
    }
    return round.build();
  }
}
