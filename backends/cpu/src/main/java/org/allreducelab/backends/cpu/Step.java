package org.allreducelab.backends.cpu;

import org.allreducelab.backends.lowering.Submission;

/** A submission compiled for its worker: flat arrays, no look-ups. */
final class Step {
  final Submission submission;
  final int rank;

  /** The rank's progress in its invocation when it is done. */
  final int value;

  /** Ranks of other workers that it waits for, and the progress it needs of them. */
  final int[] waitRanks;

  final int[] waitValues;

  /** Ranks that it waits for, those of its own worker too. */
  final int waits;

  /** Ranks of other workers whose reads of this rank in earlier invocations must be over. */
  final int[] lateReaders;

  final Task[] tasks;

  Step(Submission submission, int[] waitRanks, int[] waitValues, int[] lateReaders, Task[] tasks) {
    this.submission = submission;
    rank = submission.rank();
    value = submission.value();
    this.waitRanks = waitRanks;
    waits = submission.waits().size();
    this.waitValues = waitValues;
    this.lateReaders = lateReaders;
    this.tasks = tasks;
  }

  void run() {
    for (Task task : tasks) {
      task.run();
    }
  }
}
