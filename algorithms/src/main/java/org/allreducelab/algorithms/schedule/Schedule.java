package org.allreducelab.algorithms.schedule;

import java.util.Arrays;
import java.util.List;

/**
 * An all-reduce as data: what each rank combines from which ranks, round by round.
 *
 * <p>Everything else in the lab works from this: the simulator interprets it, backends lower and
 * execute it, the cost model prices it, the checker proves it. A schedule says nothing of element
 * types or of where bytes are staged.
 *
 * @param ranks number of ranks, ≥ 1
 * @param count number of vector elements, ≥ 0
 * @param rounds the rounds in order; a {@link LazyRounds} is kept as it is, any other list is
 *     copied
 */
public record Schedule(int ranks, int count, List<Round> rounds) {

  /**
   * @throws IllegalArgumentException if a combine names a rank or element that does not exist, or
   *     if one rank writes an element twice in a round
   */
  public Schedule {
    requireShape(ranks, count);
    rounds = rounds instanceof LazyRounds ? rounds : List.copyOf(rounds);
    for (int i = 0; i < rounds.size(); i++) {
      requireValid(ranks, count, i, rounds.get(i));
    }
  }

  /**
   * Checks the arguments every algorithm takes.
   *
   * @throws IllegalArgumentException if {@code ranks < 1} or {@code count < 0}
   */
  public static void requireShape(int ranks, int count) {
    if (ranks < 1) {
      throw new IllegalArgumentException("ranks must be at least 1, not " + ranks);
    }
    if (count < 0) {
      throw new IllegalArgumentException("count must be at least 0, not " + count);
    }
  }

  private static void requireValid(int ranks, int count, int index, Round round) {
    List<Combine> combines = round.combines();
    for (Combine c : combines) {
      if (c.rank() >= ranks) {
        throw new IllegalArgumentException("round " + index + ": no such rank: " + c);
      }
      if (c.span().end() > count) {
        throw new IllegalArgumentException("round " + index + ": beyond " + count + ": " + c);
      }
      for (int k = 0; k < c.operandCount(); k++) {
        if (c.operand(k) >= ranks) {
          throw new IllegalArgumentException("round " + index + ": no such operand: " + c);
        }
      }
    }
    requireDisjoint(index, combines);
  }

  /** Sorts (rank, offset, length) keys, so a round of many combines costs n log n. */
  private static void requireDisjoint(int index, List<Combine> combines) {
    int[] order = nonEmptyByRankAndOffset(combines);
    for (int i = 1; i < order.length; i++) {
      Combine a = combines.get(order[i - 1]);
      Combine b = combines.get(order[i]);
      if (a.rank() == b.rank() && a.span().overlaps(b.span())) {
        throw new IllegalArgumentException(
            "round " + index + ": one rank writes an element twice: " + a + " and " + b);
      }
    }
  }

  private static int[] nonEmptyByRankAndOffset(List<Combine> combines) {
    boolean sorted = true;
    int used = 0;
    int[] order = new int[combines.size()];
    for (int i = 0; i < order.length; i++) {
      if (combines.get(i).span().isEmpty()) {
        continue;
      }
      if (used > 0 && compare(combines.get(order[used - 1]), combines.get(i)) > 0) {
        sorted = false;
      }
      order[used++] = i;
    }
    int[] result = Arrays.copyOf(order, used);
    if (sorted) {
      return result;
    }
    return Arrays.stream(result)
        .boxed()
        .sorted((x, y) -> compare(combines.get(x), combines.get(y)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static int compare(Combine a, Combine b) {
    int byRank = Integer.compare(a.rank(), b.rank());
    return byRank != 0 ? byRank : Integer.compare(a.span().offset(), b.span().offset());
  }
}
