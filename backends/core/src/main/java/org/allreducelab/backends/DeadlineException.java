package org.allreducelab.backends;

/** A wait ran past its deadline. Terminal for the group. */
public final class DeadlineException extends BackendException {
  private static final long serialVersionUID = 1L;

  /** The value of {@link #peer()} when no peer is to blame: the rank itself stopped. */
  public static final int NO_PEER = -1;

  private final int rank;
  private final String operation;
  private final int peer;

  /**
   * @param rank the rank that did not get on
   * @param operation what it was about to do, for instance {@code round 3 fold}
   * @param peer the rank it waited for, or {@link #NO_PEER}
   * @param deadlineNs how long was waited, in nanoseconds
   */
  public DeadlineException(int rank, String operation, int peer, long deadlineNs) {
    super(
        "deadline of "
            + (deadlineNs % 1_000_000 == 0
                ? deadlineNs / 1_000_000 + " ms"
                : deadlineNs / 1_000 + " us")
            + " passed: rank "
            + rank
            + " stopped before "
            + operation
            + (peer == NO_PEER ? "" : ", waiting for rank " + peer));
    this.rank = rank;
    this.operation = operation;
    this.peer = peer;
  }

  public int rank() {
    return rank;
  }

  public String operation() {
    return operation;
  }

  public int peer() {
    return peer;
  }
}
