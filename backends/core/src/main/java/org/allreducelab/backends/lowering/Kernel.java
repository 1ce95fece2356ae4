package org.allreducelab.backends.lowering;

import java.util.List;

/**
 * Folds that are independent of each other: no fold of a kernel reads what another one of it
 * writes. Kernels of one rank execute in order, each seeing the writes of those before it.
 *
 * @param repetition which execution of the schedule it is of, counted from 0
 * @param round the schedule's round, counted from 0
 * @param kind what it does
 * @param folds the work
 */
public record Kernel(int repetition, int round, Kind kind, List<Fold> folds) {
  /** What a kernel does, as messages name it. */
  public enum Kind {
    /** Copies initial values into slots for peers. */
    PUBLISH,
    /** Folds operands (a copy has one), and publishes the results where peers need them staged. */
    FOLD
  }

  public Kernel {
    folds = List.copyOf(folds);
  }
}
