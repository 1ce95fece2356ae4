package org.allreducelab.algorithms.cost;

import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;

/**
 * The α–β–γ model of communication cost (Hockney's, with a term for the reduction), applied to the
 * rounds of a schedule as they are:
 *
 * <pre>
 * time = Σ over rounds of max over ranks of
 *          α · (1, or the messages; see {@link AlphaCounts})
 *        + β · max(wire bytes received, wire bytes sent)
 *        + γ · (bytes of the element type added up)
 * </pre>
 *
 * <p>A {@link Machine} of one level. Assumptions: every rank has one full-duplex port, links do not
 * share bandwidth, a round starts when the one before it has ended everywhere, and copies within a
 * rank are free. In the last round of {@code naive}, for instance, rank 0 sends n−1 copies through
 * its port.
 *
 * @param alphaNs latency of a step or message, ns
 * @param betaNsPerByte time of a byte on the wire, ns
 * @param gammaNsPerByte time to add a byte of the element type to an accumulator, ns
 * @param alphaCounts what α is paid for
 */
public record CostModel(
    double alphaNs, double betaNsPerByte, double gammaNsPerByte, AlphaCounts alphaCounts) {

  /**
   * @throws IllegalArgumentException if a time is negative or not finite
   */
  public CostModel {
    requireTime("alpha", alphaNs);
    requireTime("beta", betaNsPerByte);
    requireTime("gamma", gammaNsPerByte);
  }

  /** A model in which α is paid per step. */
  public CostModel(double alphaNs, double betaNsPerByte, double gammaNsPerByte) {
    this(alphaNs, betaNsPerByte, gammaNsPerByte, AlphaCounts.STEPS);
  }

  static void requireTime(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be a time of at least 0 ns, not " + value);
    }
  }

  /** Prices a schedule whose elements and wire are of the precision's types. */
  public Cost price(Schedule schedule, Precision precision) {
    Link link = new Link(alphaNs, betaNsPerByte);
    return Machine.flat(link, gammaNsPerByte, alphaCounts).price(schedule, precision);
  }
}
