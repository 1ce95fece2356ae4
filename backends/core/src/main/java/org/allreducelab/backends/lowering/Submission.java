package org.allreducelab.backends.lowering;

import java.util.List;

/**
 * Work that one rank starts at once: waits, then kernels in order, then the signal that it is done.
 *
 * @param rank the rank that executes it
 * @param value its number among the rank's submissions of an invocation, counted from 1: the rank's
 *     progress when it is done
 * @param kind why it is there
 * @param repetition the execution of the schedule in which it starts, counted from 0; a later one
 *     may have joined it
 * @param round the schedule's round in which it starts, counted from 0
 * @param waits peers' progress it needs first, transitively reduced
 * @param lateReaders peers whose reads of this rank's exported memory in <em>earlier</em>
 *     invocations must be over first; empty unless this is the rank's first write to exported
 *     memory
 * @param kernels the work, possibly none
 */
public record Submission(
    int rank,
    int value,
    Kind kind,
    int repetition,
    int round,
    List<Wait> waits,
    List<Integer> lateReaders,
    List<Kernel> kernels) {
  /** Why a submission is there. */
  public enum Kind {
    /** Collects the progress of all ranks and passes it on. */
    RELAY,
    /** Executes kernels. */
    WORK
  }

  public Submission {
    waits = List.copyOf(waits);
    lateReaders = List.copyOf(lateReaders);
    kernels = List.copyOf(kernels);
  }

  /**
   * What it does, as error messages name it: {@code round 3 fold}, {@code round 3 fold of
   * repetition 2}.
   */
  public String operation() {
    return "round "
        + round
        + " "
        + (kernels.isEmpty() ? kind : kernels.get(0).kind())
            .toString()
            .toLowerCase(java.util.Locale.ROOT)
        + (repetition == 0 ? "" : " of repetition " + repetition);
  }
}
