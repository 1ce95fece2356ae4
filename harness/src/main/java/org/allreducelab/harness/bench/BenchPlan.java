package org.allreducelab.harness.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
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
import org.allreducelab.harness.probes.ProbeCache;
import org.allreducelab.harness.probes.ProbeWarnings;

/**
 * The cases of a run.
 *
 * @param cases in the order of the table, each id once
 * @param endpoints the devices that take part
 * @param skipped a line for each combination that is not defined
 * @param warnings a line for each thing that a group uses and the doctor found bad
 */
record BenchPlan(
    List<BenchCase> cases, List<Endpoint> endpoints, List<String> skipped, List<String> warnings) {
  BenchPlan {
    warnings = List.copyOf(warnings);
    cases = List.copyOf(cases);
    endpoints = List.copyOf(endpoints);
    skipped = List.copyOf(skipped);
  }

  /**
   * Expands options; a forced choice is tried on its devices first.
   *
   * @param probes what the doctor found
   * @param err where it is told what other devices are here
   * @throws UsageException if an option is wrong
   * @throws org.allreducelab.backends.UnavailableException if a device is not here, or cannot do
   *     what is forced
   */
  static BenchPlan of(
      OptionValues values, Inventory inventory, ProbeCache probes, PrintWriter err) {
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
    Set<String> warnings = requirePossible(matrix.cases(), options, probes);
    return new BenchPlan(
        new ArrayList<>(cases.values()),
        new ArrayList<>(endpoints),
        matrix.skipped(),
        new ArrayList<>(warnings));
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
          options.forced(),
          c.operands() == Operands.IN_PLACE,
          options.policy().name(),
          options.deadline(),
          inflight);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Opens an empty group per kind, so that what cannot be is said before anything is measured.
   *
   * @return what the doctor found bad of what the groups chose
   */
  private static Set<String> requirePossible(
      List<Case> cases, SharedOptions options, ProbeCache probes) {
    ProbeWarnings doctor = new ProbeWarnings(probes);
    Set<String> warnings = new LinkedHashSet<>();
    Set<String> tried = new LinkedHashSet<>();
    for (Case c : cases) {
      if (tried.add(c.group().option() + " " + c.ranks() + " " + c.precision().name())) {
        GroupSpec spec = options.groupSpec(c.group(), c.ranks(), c.precision(), 0).build();
        try (Group group = c.group().backend().open(spec)) {
          warnings.addAll(found(doctor, c, group.choices()));
        }
      }
    }
    return warnings;
  }

  private static List<String> found(ProbeWarnings doctor, Case c, Choices choices) {
    Placement placement = choices.placement().value();
    // On one logical device ranks share its memory, and nothing is exported or imported.
    boolean apart = placement == Placement.LOGICAL || placement == Placement.PHYSICAL;
    return apart
        ? doctor.of(
            c.group().endpoints(c.ranks()), choices.transport().value(), choices.sync().value())
        : List.of();
  }
}
