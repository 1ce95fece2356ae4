package org.allreducelab.algorithms;

import org.allreducelab.algorithms.schedule.LazyRounds;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Span;

/**
 * Members of a power-of-two core halve what they work on, step by step, and then gather it
 * backwards.
 *
 * <p>In step s a member and its peer both hold partial sums of the same p/2^s blocks; each keeps
 * half of them. The block a member ends with is its position: positions are handed out depth first
 * from member 0, the half of the member at hand first, so that every set of blocks is contiguous.
 * With hypercube distances this is the rule that the lower member keeps the lower half.
 */
final class HalvingExchange {
  private final PowerOfTwoCore core;
  private final Pairing pairing;
  private final ChunkMap blocks;
  private final int steps;
  private final int[] positionOf;

  HalvingExchange(PowerOfTwoCore core, Pairing pairing, Span whole, int granule) {
    this.core = core;
    this.pairing = pairing;
    this.blocks = new ChunkMap(whole, core.size(), granule);
    this.steps = Log2.floor(core.size());
    this.positionOf = new int[core.size()];
    assignPositions(0, 0, 0);
  }

  private void assignPositions(int member, int step, int position) {
    if (step == steps) {
      positionOf[member] = position;
      return;
    }
    assignPositions(member, step + 1, position);
    assignPositions(pairing.peer(member, step), step + 1, position + blocksAfter(step));
  }

  /** 2·log2 p rounds: reduce-scatter, then all-gather. */
  LazyRounds rounds() {
    return new LazyRounds(
        2 * steps,
        index -> index < steps ? reduceScatter(index) : allGather(2 * steps - 1 - index));
  }

  private Round reduceScatter(int step) {
    RoundBuilder round = new RoundBuilder();
    for (int member = 0; member < core.size(); member++) {
      int rank = core.rank(member);
      int peerRank = core.rank(pairing.peer(member, step));
      round.combinePair(rank, keptBy(member, step), rank, peerRank);
    }
    return round.build();
  }

  private Round allGather(int step) {
    RoundBuilder round = new RoundBuilder();
    for (int member = 0; member < core.size(); member++) {
      int peer = pairing.peer(member, step);
      if (step == steps - 1) {
        round.combine(core.rank(member), keptBy(member, step), core.rank(member));
      }
      round.combine(core.rank(member), keptBy(peer, step), core.rank(peer));
    }
    return round.build();
  }

  /** The elements a member still works on after a step: an aligned range around its position. */
  private Span keptBy(int member, int step) {
    int length = blocksAfter(step);
    int from = positionOf[member] / length * length;
    return blocks.range(from, from + length);
  }

  private int blocksAfter(int step) {
    return core.size() >> (step + 1);
  }
}
