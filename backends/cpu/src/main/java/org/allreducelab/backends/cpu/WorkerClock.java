package org.allreducelab.backends.cpu;

/**
 * A worker's copy of the group's clock: each rank's progress at the start of the invocation that
 * the worker executes, and for its own ranks the last reads of their memory by ranks of other
 * workers.
 *
 * <p>Every worker executes every invocation in the order of enqueueing and moves its clock by what
 * the invocation's program says, which is the same for all. So at the start of invocation k all
 * copies have the values that one clock moved at enqueue time would have had: nothing has to be
 * stored per invocation in flight. Values are never cleared: what completed long ago is simply
 * satisfied.
 */
final class WorkerClock {
  private final int ranks;
  private final long[] base;
  private final long[] lateReader;

  WorkerClock(int ranks) {
    this.ranks = ranks;
    base = new long[ranks];
    lateReader = new long[ranks * ranks];
  }

  /** A rank's progress when the present invocation starts. */
  long base(int rank) {
    return base[rank];
  }

  /** The progress from which on {@code reader} no longer reads {@code owner}'s memory. */
  long lateReader(int owner, int reader) {
    return lateReader[owner * ranks + reader];
  }

  /** The present invocation, of that recording, is over. */
  void advance(Recording.Share share, int[] submissions) {
    for (int i = 0; i < share.owners.length; i++) {
      int reader = share.readers[i];
      lateReader[share.owners[i] * ranks + reader] = base[reader] + share.lastReads[i];
    }
    for (int rank = 0; rank < ranks; rank++) {
      base[rank] += submissions[rank];
    }
  }
}
