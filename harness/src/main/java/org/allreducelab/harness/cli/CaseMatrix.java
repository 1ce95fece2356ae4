package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Operands;

/**
 * Which cases a set of options makes: devices × ranks × precisions × algorithms × sizes × in place,
 * the first varying slowest, so that cases of one group of ranks and precision lie together.
 *
 * @param cases in order; never empty
 * @param skipped one line for each precision that is not defined for some number of ranks
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
    Map<Precision, TreeSet<Integer>> skipped = new LinkedHashMap<>();
    for (DeviceGroup group : groups) {
      for (int n : ranks.of(group)) {
        for (Precision precision : precisions.values()) {
          if (!precision.supportsRanks(n)) {
            skipped.computeIfAbsent(precision, p -> new TreeSet<>()).add(n);
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
    List<String> lines = new ArrayList<>();
    skipped.forEach((precision, n) -> lines.add(skipLine(precision, n)));
    if (cases.isEmpty()) {
      throw new UsageException(
          "no case is left to run" + (lines.isEmpty() ? "" : ": " + String.join("; ", lines)));
    }
    return new CaseMatrix(cases, lines);
  }

  private static String skipLine(Precision precision, TreeSet<Integer> ranks) {
    return "skipped "
        + precision.name()
        + " at "
        + new RankList(List.copyOf(ranks))
        + " ranks: it is defined for at most "
        + precision.maxRanks();
  }
}
