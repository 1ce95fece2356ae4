package org.allreducelab.backends.lowering;

import java.util.List;
import org.allreducelab.algorithms.numerics.Precision;

/**
 * A schedule lowered for a transport: submissions in one global, round-major order, so that every
 * wait refers to something before it in that order.
 *
 * <p>Recorded once and replayed: wait values are relative to a base per rank, which {@link
 * GroupClock} moves on with every invocation.
 */
public final class Program {
  private final int ranks;
  private final int count;
  private final Precision precision;
  private final List<Submission> submissions;
  private final int[] submissionsOfRank;
  private final int[][] lastReadBy;
  private final long[] slotBytes;
  private final int repetitions;

  /**
   * @param ranks number of ranks
   * @param count number of vector elements
   * @param precision the arithmetic of its folds
   * @param submissions in global order
   * @param lastReadBy {@code [r][q]}: the value of q's last submission that reads r's RECV or SLOT
   *     memory, 0 if none does
   * @param slotBytes staging memory each rank needs, in bytes
   * @param repetitions how often an invocation executes the schedule
   */
  Program(
      int ranks,
      int count,
      Precision precision,
      List<Submission> submissions,
      int[][] lastReadBy,
      long[] slotBytes,
      int repetitions) {
    this.ranks = ranks;
    this.count = count;
    this.precision = precision;
    this.submissions = List.copyOf(submissions);
    this.lastReadBy = lastReadBy;
    this.slotBytes = slotBytes;
    this.repetitions = repetitions;
    this.submissionsOfRank = new int[ranks];
    for (Submission s : submissions) {
      submissionsOfRank[s.rank()]++;
    }
  }

  public int ranks() {
    return ranks;
  }

  public int count() {
    return count;
  }

  public Precision precision() {
    return precision;
  }

  /** How many all-reduces one invocation is, in a row. */
  public int repetitions() {
    return repetitions;
  }

  /** All submissions in the order in which they must be enqueued. */
  public List<Submission> submissions() {
    return submissions;
  }

  /** How many submissions a rank has in one invocation. */
  public int submissionsOf(int rank) {
    return submissionsOfRank[rank];
  }

  /**
   * The value of {@code reader}'s last submission that reads {@code owner}'s RECV or SLOT, or 0.
   */
  public int lastReadBy(int owner, int reader) {
    return lastReadBy[owner][reader];
  }

  /** Staging memory that a rank needs, in bytes: the policy's request. */
  public long slotBytes(int rank) {
    return slotBytes[rank];
  }

  /** Number of waits inside one invocation, over all ranks. */
  public int waits() {
    return submissions.stream().mapToInt(s -> s.waits().size()).sum();
  }

  /**
   * Number of waits for earlier invocations, over all ranks, when this program follows itself
   * without a host wait in between.
   */
  public int lateReaderWaits() {
    int waits = 0;
    for (Submission s : submissions) {
      for (int reader : s.lateReaders()) {
        waits += lastReadBy[s.rank()][reader] > 0 ? 1 : 0;
      }
    }
    return waits;
  }
}
