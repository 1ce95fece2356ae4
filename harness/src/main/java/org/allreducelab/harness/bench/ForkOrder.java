package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order in which forks run: fork 0 of every case, then fork 1 of every case and so on, shuffled
 * anew each time. What drifts while a run lasts (heat, other load) then spreads over all cases
 * instead of looking like a difference between the first and the last.
 */
final class ForkOrder {
  private ForkOrder() {}

  /**
   * One fork of one case.
   *
   * @param caseIndex position in the list of cases
   * @param fork from 0
   */
  record Step(int caseIndex, int fork) {}

  /** All steps of a run; equal arguments give equal orders. */
  static List<Step> of(int cases, int forks, long seed) {
    Random random = new Random(seed);
    List<Step> steps = new ArrayList<>(cases * forks);
    for (int fork = 0; fork < forks; fork++) {
      List<Step> pass = new ArrayList<>(cases);
      for (int c = 0; c < cases; c++) {
        pass.add(new Step(c, fork));
      }
      Collections.shuffle(pass, random);
      steps.addAll(pass);
    }
    return steps;
  }
}
