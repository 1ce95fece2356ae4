package org.allreducelab.algorithms.cost;

import java.util.Arrays;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;

/** Who moves and adds how much in one round; reused from round to round. */
final class RoundTraffic {
  /** Between ranks of one node. */
  static final int NEAR = 0;

  /** Between ranks of different nodes. */
  static final int FAR = 1;

  private final int ranks;
  private final int ranksPerNode;
  private final long[][] elementsIn;
  private final long[][] elementsOut;
  private final long[] elementsAdded;
  private final int[][] messagesIn;
  private final int[][] messagesOut;
  private long messages;
  private long[] pairs = new long[64];

  RoundTraffic(int ranks, int ranksPerNode) {
    this.ranks = ranks;
    this.ranksPerNode = ranksPerNode;
    elementsIn = new long[2][ranks];
    elementsOut = new long[2][ranks];
    elementsAdded = new long[ranks];
    messagesIn = new int[2][ranks];
    messagesOut = new int[2][ranks];
  }

  private int level(int a, int b) {
    return a / ranksPerNode == b / ranksPerNode ? NEAR : FAR;
  }

  void count(Round round) {
    for (int level = NEAR; level <= FAR; level++) {
      Arrays.fill(elementsIn[level], 0);
      Arrays.fill(elementsOut[level], 0);
    }
    Arrays.fill(elementsAdded, 0);
    int used = 0;
    for (Combine combine : round.combines()) {
      long length = combine.span().length();
      if (length == 0) {
        continue;
      }
      int rank = combine.rank();
      elementsAdded[rank] += (combine.operandCount() - 1) * length;
      for (int k = 0; k < combine.operandCount(); k++) {
        int source = combine.operand(k);
        if (source != rank) {
          int level = level(rank, source);
          elementsIn[level][rank] += length;
          elementsOut[level][source] += length;
          if (used == pairs.length) {
            pairs = Arrays.copyOf(pairs, used * 2);
          }
          pairs[used++] = (long) rank * ranks + source;
        }
      }
    }
    countMessages(used);
  }

  /** Several spans between the same two ranks are one message: equal pairs count once. */
  private void countMessages(int used) {
    for (int level = NEAR; level <= FAR; level++) {
      Arrays.fill(messagesIn[level], 0);
      Arrays.fill(messagesOut[level], 0);
    }
    messages = 0;
    Arrays.sort(pairs, 0, used);
    for (int i = 0; i < used; i++) {
      if (i == 0 || pairs[i] != pairs[i - 1]) {
        int to = (int) (pairs[i] / ranks);
        int from = (int) (pairs[i] % ranks);
        int level = level(to, from);
        messagesIn[level][to]++;
        messagesOut[level][from]++;
        messages++;
      }
    }
  }

  long messages() {
    return messages;
  }

  int messagesIn(int level, int rank) {
    return messagesIn[level][rank];
  }

  int messagesOut(int level, int rank) {
    return messagesOut[level][rank];
  }

  long elementsIn(int level, int rank) {
    return elementsIn[level][rank];
  }

  /** From ranks of all nodes. */
  long elementsIn(int rank) {
    return elementsIn[NEAR][rank] + elementsIn[FAR][rank];
  }

  long elementsOut(int level, int rank) {
    return elementsOut[level][rank];
  }

  long elementsAdded(int rank) {
    return elementsAdded[rank];
  }
}
