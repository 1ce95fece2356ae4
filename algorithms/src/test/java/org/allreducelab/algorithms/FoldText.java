package org.allreducelab.algorithms;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;

/** Follows one element through a schedule and writes its sum with every bracket. */
final class FoldText {
  private FoldText() {}

  /** The sum as it was folded, first operand first, for instance {@code ((2+3)+0)+1}. */
  static String of(Schedule schedule, int rank, int element) {
    return fold(schedule, rank, element, false);
  }

  /** The same with the operands of each addition in text order: equal for equal sums. */
  static String commutative(Schedule schedule, int rank, int element) {
    return fold(schedule, rank, element, true);
  }

  private static String fold(Schedule schedule, int rank, int element, boolean commutative) {
    List<String> values = new ArrayList<>();
    for (int r = 0; r < schedule.ranks(); r++) {
      values.add(Integer.toString(r));
    }
    for (Round round : schedule.rounds()) {
      List<String> before = List.copyOf(values);
      for (Combine combine : round.combines()) {
        if (combine.span().offset() <= element && element < combine.span().end()) {
          String sum = before.get(combine.operand(0));
          for (int k = 1; k < combine.operandCount(); k++) {
            sum = add(sum, before.get(combine.operand(k)), commutative);
          }
          values.set(combine.rank(), sum);
        }
      }
    }
    return values.get(rank);
  }

  private static String add(String a, String b, boolean commutative) {
    boolean swap = commutative && a.compareTo(b) > 0;
    return bracketed(swap ? b : a) + "+" + bracketed(swap ? a : b);
  }

  private static String bracketed(String sum) {
    return sum.contains("+") ? "(" + sum + ")" : sum;
  }
}
