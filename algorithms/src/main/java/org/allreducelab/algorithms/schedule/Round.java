package org.allreducelab.algorithms.schedule;

import java.util.List;

/**
 * Combines that all read the state before the round and together make the state after it. Spans
 * that one rank writes in one round are disjoint ({@link Schedule} checks it).
 */
public record Round(List<Combine> combines) {
  public Round {
    combines = List.copyOf(combines);
  }
}
