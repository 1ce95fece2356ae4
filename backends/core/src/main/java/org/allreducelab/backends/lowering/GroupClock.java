package org.allreducelab.backends.lowering;

/**
 * The progress that waits refer to, across invocations of any programs of one group.
 *
 * <p>Only the owner writes its exported memory, so one n×n matrix is enough between invocations:
 * {@code lateReader[r][q]} is the value after which q no longer reads r's memory, whatever program
 * ran before. A rank's first write to exported memory waits for its row. {@link #clear()} after a
 * host wait for everything.
 *
 * <p>For each enqueue: read {@link #base} and {@link #lateReader} while submitting, then call
 * {@link #advance}. Not thread-safe; allocates nothing after construction.
 */
public final class GroupClock {
  private final long[] base;
  private final long[] seen;
  private final long[][] lateReader;

  public GroupClock(int ranks) {
    base = new long[ranks];
    seen = new long[ranks];
    lateReader = new long[ranks][ranks];
  }

  /** Submissions of a rank in all earlier invocations: what relative wait values are added to. */
  public long base(int rank) {
    return base[rank];
  }

  /**
   * The value that {@code owner}'s first exported write waits for on {@code reader}; 0 for none.
   */
  public long lateReader(int owner, int reader) {
    return lateReader[owner][reader];
  }

  /** A value that the host has seen a rank reach: a wait for it or less can be left out. */
  public long seen(int rank) {
    return seen[rank];
  }

  /** Accounts for an invocation of {@code program} that has been enqueued. */
  public void advance(Program program) {
    for (int owner = 0; owner < base.length; owner++) {
      for (int reader = 0; reader < base.length; reader++) {
        int last = program.lastReadBy(owner, reader);
        if (last > 0) {
          lateReader[owner][reader] = base[reader] + last;
        }
      }
    }
    for (int rank = 0; rank < base.length; rank++) {
      base[rank] += program.submissionsOf(rank);
    }
  }

  /** Accounts for other work of a rank that was enqueued: a producer of its next input. */
  void advance(int rank, int submissions) {
    base[rank] += submissions;
  }

  /** Everything enqueued has completed, as the host has seen: nobody reads any more. */
  public void clear() {
    System.arraycopy(base, 0, seen, 0, base.length);
    for (long[] row : lateReader) {
      java.util.Arrays.fill(row, 0);
    }
  }
}
