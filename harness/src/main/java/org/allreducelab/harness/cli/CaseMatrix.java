package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Operands;

/**
 * Which cases a set of options makes: devices × ranks × precisions × algorithms × sizes × in place,
 * the first varying slowest, so that cases of one group of ranks and precision lie together.
 *
 * @param cases in order; never empty
 * @param skipped one line for each combination that is not defined
 */
public record CaseMatrix(List<Case> cases, List<String> skipped) {
  public CaseMatrix {
    cases = List.copyOf(cases);
    skipped = List.copyOf(skipped);
  }

  /**
   * Expands options.
   *
   * @param groups the devices
   * @param ranks the numbers of ranks, or what a group fixes
   * @throws UsageException if a group fixes a number of ranks that {@code ranks} does not have, a
   *     size does not fit the element type, or no case is left
   */
  public static CaseMatrix of(
      List<DeviceGroup> groups,
      RankChoice ranks,
      PrecisionList precisions,
      AlgorithmList algorithms,
      Sizes sizes,
      InPlace inPlace) {
    List<Case> cases = new ArrayList<>();
    Set<String> skipped = new LinkedHashSet<>();
    for (DeviceGroup group : groups) {
      for (int n : ranks.of(group)) {
        for (Precision precision : precisions.values()) {
          if (!precision.supportsRanks(n)) {
            skipped.add(
                "skipped "
                    + precision.name()
                    + " at "
                    + n
                    + " ranks: it is defined for at most "
                    + precision.maxRanks());
            continue;
          }
          List<Integer> counts = sizes.counts(n, precision);
          for (Algorithm algorithm : algorithms.values()) {
            for (int count : counts) {
              for (Operands operands : inPlace.operands()) {
                cases.add(new Case(group, n, precision, algorithm, count, operands));
              }
            }
          }
        }
      }
    }
    if (cases.isEmpty()) {
      throw new UsageException(
          "no case is left to run" + (skipped.isEmpty() ? "" : ": " + String.join("; ", skipped)));
    }
    return new CaseMatrix(cases, new ArrayList<>(skipped));
  }
}
