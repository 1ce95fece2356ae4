package org.allreducelab.harness.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.harness.cli.AlgorithmList;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.CaseMatrix;
import org.allreducelab.harness.cli.DeviceGroup;
import org.allreducelab.harness.cli.InPlace;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.PrecisionList;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.SharedOptions;
import org.allreducelab.harness.cli.SizeList;
import org.allreducelab.harness.cli.UsageException;

/**
 * The cases of a run.
 *
 * @param cases in the order of the table, each id once
 * @param endpoints the devices that take part
 * @param skipped a line for each combination that is not defined
 */
record BenchPlan(List<BenchCase> cases, List<Endpoint> endpoints, List<String> skipped) {
  BenchPlan {
    cases = List.copyOf(cases);
    endpoints = List.copyOf(endpoints);
    skipped = List.copyOf(skipped);
  }

  /**
   * Expands options; a forced choice is tried on its devices first.
   *
   * @param err where it is told what other devices are here
   * @throws UsageException if an option is wrong
   * @throws org.allreducelab.backends.UnavailableException if a device is not here, or cannot do
   *     what is forced
   */
  static BenchPlan of(OptionValues values, Inventory inventory, PrintWriter err) {
    SharedOptions options = values.parse();
    int inflight = values.inflight();
    List<DeviceGroup> groups = options.groups(inventory, err);
    CaseMatrix matrix =
        CaseMatrix.of(
            groups,
            options.ranks(RankList.of(4)),
            options.precisionsOr(PrecisionList.parse("bf16")),
            options.algorithmsOr(AlgorithmList.all()),
            options.sizesOr(SizeList.bytes("20KiB")),
            options.inPlaceOr(InPlace.FALSE));
    Map<String, BenchCase> cases = new LinkedHashMap<>();
    Set<Endpoint> endpoints = new LinkedHashSet<>();
    for (Case c : matrix.cases()) {
      BenchCase benchCase = benchCase(c, options, inflight);
      cases.putIfAbsent(benchCase.id(), benchCase);
      endpoints.addAll(c.group().devices());
    }
    requirePossible(matrix.cases(), options);
    return new BenchPlan(
        new ArrayList<>(cases.values()), new ArrayList<>(endpoints), matrix.skipped());
  }

  private static BenchCase benchCase(Case c, SharedOptions options, int inflight) {
    try {
      return new BenchCase(
          c.group().devices().stream().map(Endpoint::id).toList(),
          c.ranks(),
          c.algorithm().name(),
          c.count(),
          c.precision(),
          options.granule(),
          options.placement(),
          options.transport(),
          options.sync(),
          options.barrier(),
          c.operands() == Operands.IN_PLACE,
          options.policy().name(),
          options.deadline(),
          inflight);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Opens an empty group per kind, so that what cannot be is said before anything is measured. */
  private static void requirePossible(List<Case> cases, SharedOptions options) {
    Set<String> tried = new LinkedHashSet<>();
    for (Case c : cases) {
      if (tried.add(c.group().option() + " " + c.ranks() + " " + c.precision().name())) {
        GroupSpec spec = options.groupSpec(c.group(), c.ranks(), c.precision(), 0).build();
        c.group().backend().open(spec).close();
      }
    }
  }
}
