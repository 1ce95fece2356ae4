package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Whole vectors swapped at swing's distances, the longest first.
 *
 * <pre>
 *          rank 0       rank 1       rank 2       rank 3
 * round 0  0+3          1+2          1+2          0+3          even ranks meet rank−1
 * round 1  0+1          0+1          2+3          2+3          even ranks meet rank+1
 * </pre>
 *
 * <p>The order matters: with the shortest distance first, from n = 8 on, ranks add in different
 * trees and their results differ.
 *
 * <ul>
 *   <li>Source: the latency-optimal variant of De Sensi, Bonato, Saam and Hoefler, "Swing:
 *       Short-cutting Rings for Higher Bandwidth Allreduce", NSDI 2024, its steps reversed; other n
 *       by {@link FoldRule#HIGH}.
 *   <li>Rounds: log2 n for a power of two; otherwise ⌊log2 n⌋ + 2.
 *   <li>Wire for m bytes: every rank receives log2 n·m for a power of two; otherwise up to (⌊log2
 *       n⌋ + 1)·m.
 *   <li>Add depth: ⌈log2 n⌉.
 *   <li>Wins: short vectors on rings and tori, a power of two of ranks.
 *   <li>Preconditions: none.
 * </ul>
 */
public final class SwingLatency extends RoundwiseAlgorithm {

  @Override
  public String name() {
    return "swing-latency";
  }

  @Override
  public String summary() {
    return "whole vectors swapped over short distances of a ring; short vectors";
  }

  @Override
  LazyRounds rounds(int ranks, Span whole, int granule) {
    PowerOfTwoCore core = new PowerOfTwoCore(ranks, FoldRule.HIGH);
    Pairing longestFirst = Pairing.swing(core.size()).reversed(Log2.floor(core.size()));
    return core.frame(WholeVectorExchange.rounds(core, longestFirst, whole), whole);
  }
}
