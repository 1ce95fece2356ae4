package org.allreducelab.backends;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;

/**
 * One all-reduce that must give the simulator's bytes.
 *
 * @param algorithm what runs
 * @param ranks on how many ranks, ≥ 1
 * @param count vector elements, ≥ 0
 * @param precision the arithmetic
 * @param operands in or out of place
 */
record ContractCase(
    Algorithm algorithm, int ranks, int count, Precision precision, Operands operands) {
  private static final int MOST_RANKS = 8;

  /** Every algorithm × n × count × preset × operands. */
  static List<ContractCase> fullMatrix() {
    List<ContractCase> cases = new ArrayList<>();
    for (Precision precision : Precision.presets()) {
      for (int n = 1; n <= MOST_RANKS; n++) {
        if (!precision.supportsRanks(n)) {
          continue;
        }
        for (int count : counts(n, precision)) {
          for (Algorithm algorithm : Algorithms.all()) {
            for (Operands operands : Operands.values()) {
              cases.add(new ContractCase(algorithm, n, count, precision, operands));
            }
          }
        }
      }
    }
    return cases;
  }

  /**
   * About a thousand cases: every algorithm × n × count with presets and operands dealt in turn,
   * and every preset with every operand count (one-shot folds n of them).
   */
  static List<ContractCase> coveringSet() {
    Set<ContractCase> cases = new LinkedHashSet<>();
    int turn = 0;
    for (Algorithm algorithm : Algorithms.all()) {
      for (int n = 1; n <= MOST_RANKS; n++) {
        List<Precision> able = new ArrayList<>(Precision.presets());
        int ranks = n;
        able.removeIf(p -> !p.supportsRanks(ranks));
        for (int count : counts(n, Precision.BF16)) {
          Precision precision = able.get(turn % able.size());
          Operands operands =
              turn / able.size() % 2 == 0 ? Operands.OUT_OF_PLACE : Operands.IN_PLACE;
          cases.add(new ContractCase(algorithm, n, count, precision, operands));
          turn++;
        }
      }
    }
    Algorithm oneShot = Algorithms.named("one-shot");
    for (Precision precision : Precision.presets()) {
      for (int n = 1; n <= MOST_RANKS && precision.supportsRanks(n); n++) {
        int count = Math.max(1000, precision.wideBelowCount());
        cases.add(new ContractCase(oneShot, n, count, precision, Operands.OUT_OF_PLACE));
      }
    }
    return List.copyOf(cases);
  }

  private static Set<Integer> counts(int n, Precision precision) {
    Set<Integer> counts =
        new LinkedHashSet<>(
            List.of(0, 1, n - 1, n, 7, 8, 9, 1000, 65543).stream().distinct().toList());
    if (precision.wideBelowCount() > 0) {
      for (int around = -1; around <= 1; around++) {
        counts.add(precision.wideBelowCount() + around);
      }
    }
    return counts;
  }

  @Override
  public String toString() {
    return "%s n=%d count=%d %s %s"
        .formatted(algorithm.name(), ranks, count, precision.name(), operands);
  }
}
