package org.allreducelab.backends.cpu;

/**
 * What a worker counts: the invocations it executed, the step it is at, and its copy of the group's
 * clock, that is each rank's progress at the start of the present invocation, and for its own ranks
 * the last reads of their memory by ranks of other workers.
 *
 * <p>Every worker executes every invocation in the order of enqueueing and moves its clock by what
 * the invocation's program says, which is the same for all. So at the start of invocation k all
 * copies have the values that one clock moved at enqueue time would have had: nothing has to be
 * stored per invocation in flight. Values are never cleared: what completed long ago is simply
 * satisfied.
 *
 * <p>Written at every step by one thread, so all of it lies in one array with two cache lines of
 * room at either end. Numbers only: storing references would dirty the collector's cards, which
 * workers share.
 */
final class WorkerClock {
  /** Between invocations there is no step. */
  static final int NO_STEP = -1;

  private static final int PAD = 16;
  private static final int EXECUTED = PAD;
  private static final int STEP = PAD + 1;
  private static final int BASE = PAD + 2;

  private final int ranks;
  private final int lateReaders;
  private final long[] state;

  WorkerClock(int ranks) {
    this.ranks = ranks;
    lateReaders = BASE + ranks;
    state = new long[lateReaders + Math.multiplyExact(ranks, ranks) + PAD];
    state[STEP] = NO_STEP;
  }

  /** How many invocations are over. */
  long executed() {
    return state[EXECUTED];
  }

  /** Index of the present step in the worker's share, or {@link #NO_STEP}. */
  int step() {
    return (int) state[STEP];
  }

  void enter(int step) {
    state[STEP] = step;
  }

  /** A rank's progress when the present invocation starts. */
  long base(int rank) {
    return state[BASE + rank];
  }

  /** The progress from which on {@code reader} no longer reads {@code owner}'s memory. */
  long lateReader(int owner, int reader) {
    return state[lateReaders + owner * ranks + reader];
  }

  /** The present invocation, of that recording, is over. */
  void advance(Recording.Share share, int[] submissions) {
    for (int i = 0; i < share.owners.length; i++) {
      int reader = share.readers[i];
      state[lateReaders + share.owners[i] * ranks + reader] = base(reader) + share.lastReads[i];
    }
    for (int rank = 0; rank < ranks; rank++) {
      state[BASE + rank] += submissions[rank];
    }
    state[STEP] = NO_STEP;
    state[EXECUTED]++;
  }
}
