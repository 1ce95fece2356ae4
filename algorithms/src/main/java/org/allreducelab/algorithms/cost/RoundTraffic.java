package org.allreducelab.algorithms.cost;

import java.util.Arrays;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;

/** Who moves and adds how much in one round; reused from round to round. */
final class RoundTraffic {
  private final int ranks;
  private final long[] elementsIn;
  private final long[] elementsOut;
  private final long[] elementsAdded;
  private final int[] messagesIn;
  private final int[] messagesOut;
  private long messages;
  private long[] pairs = new long[64];

  RoundTraffic(int ranks) {
    this.ranks = ranks;
    elementsIn = new long[ranks];
    elementsOut = new long[ranks];
    elementsAdded = new long[ranks];
    messagesIn = new int[ranks];
    messagesOut = new int[ranks];
  }

  void count(Round round) {
    Arrays.fill(elementsIn, 0);
    Arrays.fill(elementsOut, 0);
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
          elementsIn[rank] += length;
          elementsOut[source] += length;
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
    Arrays.fill(messagesIn, 0);
    Arrays.fill(messagesOut, 0);
    messages = 0;
    Arrays.sort(pairs, 0, used);
    for (int i = 0; i < used; i++) {
      if (i == 0 || pairs[i] != pairs[i - 1]) {
        messagesIn[(int) (pairs[i] / ranks)]++;
        messagesOut[(int) (pairs[i] % ranks)]++;
        messages++;
      }
    }
  }

  long messages() {
    return messages;
  }

  int messagesIn(int rank) {
    return messagesIn[rank];
  }

  int messagesOut(int rank) {
    return messagesOut[rank];
  }

  long elementsIn(int rank) {
    return elementsIn[rank];
  }

  long elementsOut(int rank) {
    return elementsOut[rank];
  }

  long elementsAdded(int rank) {
    return elementsAdded[rank];
  }
}
