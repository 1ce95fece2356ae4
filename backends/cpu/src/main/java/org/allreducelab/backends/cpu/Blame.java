package org.allreducelab.backends.cpu;

import java.util.List;
import org.allreducelab.backends.DeadlineException;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Submission;

/** Finds out whom a missed deadline is due to. */
final class Blame {
  private Blame() {}

  /**
   * The rank that stopped is the one at which a worker stands though it waits for nobody. It is
   * named as the peer of the first rank that waits for it; alone, if nobody does.
   *
   * @param workers all workers, stopped
   * @param deadlineNs the deadline that was missed
   */
  static DeadlineException of(List<Worker> workers, long deadlineNs) {
    DeadlineException blocked = null;
    for (Worker worker : workers) {
      Step at = worker.standing();
      if (at == null) {
        continue;
      }
      if (worker.blockedOn() == Worker.NOBODY) {
        return stopped(at.submission, worker.executing(), deadlineNs);
      }
      if (blocked == null) {
        blocked =
            new DeadlineException(
                at.rank, at.submission.operation(), worker.blockedOn(), deadlineNs);
      }
    }
    return blocked != null
        ? blocked
        : new DeadlineException(0, "completion", DeadlineException.NO_PEER, deadlineNs);
  }

  private static DeadlineException stopped(Submission root, Program program, long deadlineNs) {
    for (Submission s : program.submissions()) {
      boolean waits =
          s.waits().stream().anyMatch(w -> w.rank() == root.rank() && w.value() >= root.value());
      if (waits) {
        return new DeadlineException(s.rank(), s.operation(), root.rank(), deadlineNs);
      }
    }
    return new DeadlineException(
        root.rank(), root.operation(), DeadlineException.NO_PEER, deadlineNs);
  }
}
