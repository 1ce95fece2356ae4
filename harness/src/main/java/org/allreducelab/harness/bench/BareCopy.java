package org.allreducelab.harness.bench;

import java.util.List;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.Span;

/**
 * The least that a group can be asked to do: rank 0 copies its SEND buffer to its RECV buffer.
 *
 * <p>No rank reads another's memory, so whatever the transport and the barrier this is one kernel
 * in one submission, which waits for nothing; the host waits for it alone. It is no all-reduce, and
 * only rank 0 has a result. Where the precision rounds a rank's own operand to a narrower wire type
 * the copy does so too, as every gather of that precision does; elsewhere bytes stay as they are.
 */
final class BareCopy {
  private BareCopy() {}

  /**
   * The copy as a schedule; to be prepared out of place.
   *
   * @param ranks of the group it runs on
   * @param count elements to copy, ≥ 1
   */
  static Schedule schedule(int ranks, int count) {
    return new Schedule(
        ranks, count, List.of(new Round(List.of(new Combine(0, new Span(0, count), 0)))));
  }
}
