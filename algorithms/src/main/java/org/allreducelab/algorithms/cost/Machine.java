package org.allreducelab.algorithms.cost;

import java.util.Arrays;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;

/**
 * A machine of one or two levels: ranks of a node are joined by near links, ranks of different
 * nodes by far ones. Nodes hold consecutive ranks.
 *
 * <pre>
 * time = Σ over rounds of max over ranks of
 *          max over the classes of links it uses of
 *            α · (1, or the messages; see {@link AlphaCounts})
 *            + β · max(wire bytes received, wire bytes sent)
 *        + γ · (bytes of the element type added up)
 * </pre>
 *
 * <p>Assumptions: every rank has one full-duplex port for each class, and they work at the same
 * time; links do not share bandwidth; a round starts when the one before it has ended everywhere;
 * copies within a rank are free.
 *
 * @param near links within a node
 * @param far links between nodes; without effect where there is one node
 * @param ranksPerNode consecutive ranks of a node, ≥ 1; {@link Integer#MAX_VALUE} for one level
 * @param gammaNsPerByte time to add a byte of the element type to an accumulator, ns
 * @param alphaCounts what α is paid for
 */
public record Machine(
    Link near, Link far, int ranksPerNode, double gammaNsPerByte, AlphaCounts alphaCounts) {
  private static final int LEVELS = 2;

  /**
   * @throws IllegalArgumentException if γ is no time or a node has no rank
   */
  public Machine {
    CostModel.requireTime("gamma", gammaNsPerByte);
    if (ranksPerNode < 1) {
      throw new IllegalArgumentException("a node needs at least 1 rank, not " + ranksPerNode);
    }
  }

  /** A machine of one level. */
  public static Machine flat(Link link, double gammaNsPerByte, AlphaCounts alphaCounts) {
    return new Machine(link, link, Integer.MAX_VALUE, gammaNsPerByte, alphaCounts);
  }

  /** Prices a schedule whose elements and wire are of the precision's types. */
  public Cost price(Schedule schedule, Precision precision) {
    RoundTraffic traffic = new RoundTraffic(schedule.ranks(), ranksPerNode);
    int elementBytes = precision.element().bytes();
    int wireBytes = precision.wireFor(schedule.count()).bytes();
    long[] received = new long[schedule.ranks()];
    double timeNs = 0;
    int steps = 0;
    long messages = 0;
    for (Round round : schedule.rounds()) {
      traffic.count(round);
      double slowestNs = 0;
      for (int rank = 0; rank < schedule.ranks(); rank++) {
        slowestNs = Math.max(slowestNs, rankTimeNs(traffic, rank, wireBytes, elementBytes));
        received[rank] += traffic.elementsIn(rank) * wireBytes;
      }
      timeNs += slowestNs;
      steps += traffic.messages() > 0 ? 1 : 0;
      messages += traffic.messages();
    }
    long max = Arrays.stream(received).max().orElse(0);
    return new Cost(timeNs, steps, messages, max, Arrays.stream(received).sum());
  }

  private double rankTimeNs(RoundTraffic traffic, int rank, int wireBytes, int elementBytes) {
    double portsNs = 0;
    for (int level = 0; level < LEVELS; level++) {
      Link link = level == RoundTraffic.NEAR ? near : far;
      long in = traffic.messagesIn(level, rank);
      long out = traffic.messagesOut(level, rank);
      long alphas =
          switch (alphaCounts) {
            case STEPS -> Math.min(1, in + out);
            case MESSAGES -> Math.max(in, out);
          };
      long portElements =
          Math.max(traffic.elementsIn(level, rank), traffic.elementsOut(level, rank));
      portsNs =
          Math.max(
              portsNs, link.alphaNs() * alphas + link.betaNsPerByte() * portElements * wireBytes);
    }
    return portsNs + gammaNsPerByte * traffic.elementsAdded(rank) * elementBytes;
  }
}
