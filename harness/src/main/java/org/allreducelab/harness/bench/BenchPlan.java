package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.harness.cli.AlgorithmList;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.CaseMatrix;
import org.allreducelab.harness.cli.DeviceGroup;
import org.allreducelab.harness.cli.ForcedChoices;
import org.allreducelab.harness.cli.InPlace;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.PrecisionList;
import org.allreducelab.harness.cli.SharedOptions;
import org.allreducelab.harness.cli.SizeList;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.harness.probes.ProbeCache;
import org.allreducelab.harness.probes.ProbeWarnings;

/**
 * The cases of a run.
 *
 * @param cases contenders in the order of the table, then their baselines; each id once
 * @param endpoints the devices that take part
 * @param notes lines to tell once it is sure that the run starts: what other devices are here, each
 *     combination that is not defined and each baseline that is not there
 * @param warnings a line for each thing that a group uses and the doctor found bad
 */
record BenchPlan(
    List<BenchCase> cases, List<Endpoint> endpoints, List<String> notes, List<String> warnings) {
  BenchPlan {
    warnings = List.copyOf(warnings);
    cases = List.copyOf(cases);
    endpoints = List.copyOf(endpoints);
    notes = List.copyOf(notes);
  }

  /** What a session needs of it. */
  RunSession.Plan<BenchCase> run() {
    return new RunSession.Plan<>(cases, endpoints, warnings);
  }

  /**
   * Expands options; a forced choice is tried on its devices first.
   *
   * @param probes what the doctor found
   * @throws UsageException if an option is wrong
   * @throws org.allreducelab.backends.UnavailableException if a device is not here, or cannot do
   *     what is forced
   */
  static BenchPlan of(OptionValues values, Inventory inventory, ProbeCache probes) {
    SharedOptions options = values.parse();
    int inflight = values.inflight();
    int graph = values.graph();
    boolean baselines = values.baselines();
    List<DeviceGroup> groups = options.groups(inventory);
    CaseMatrix matrix =
        CaseMatrix.of(
            groups,
            values.ranks(options),
            options.precisionsOr(PrecisionList.parse("bf16")),
            options.algorithmsOr(AlgorithmList.all()),
            options.sizesOr(SizeList.bytes("20KiB")),
            options.inPlaceOr(InPlace.FALSE));
    Map<String, BenchCase> cases = new LinkedHashMap<>();
    Map<Kind, List<BenchCase>> byKind = new LinkedHashMap<>();
    Set<Endpoint> endpoints = new LinkedHashSet<>();
    for (Case c : matrix.cases()) {
      BenchCase benchCase = benchCase(c, options, inflight, graph);
      if (cases.putIfAbsent(benchCase.id(), benchCase) == null) {
        byKind.computeIfAbsent(Kind.of(c), kind -> new ArrayList<>()).add(benchCase);
      }
      endpoints.addAll(c.group().devices());
    }
    ProbeWarnings doctor = new ProbeWarnings(probes);
    Set<String> warnings = new LinkedHashSet<>();
    List<String> notes = new ArrayList<>(options.elsewhere(inventory));
    notes.addAll(matrix.skipped());
    byKind.forEach(
        (kind, contenders) -> {
          Choices choices = kind.choicesWith(options.forced(), options);
          warnings.addAll(found(doctor, kind, choices));
          if (baselines) {
            baselines(kind, contenders, choices, options, notes).forEach(c -> cases.put(c.id(), c));
          }
        });
    return new BenchPlan(
        new ArrayList<>(cases.values()),
        new ArrayList<>(endpoints),
        notes,
        new ArrayList<>(warnings));
  }

  /** Cases that run on groups of one kind. */
  private record Kind(DeviceGroup group, int ranks, Precision precision) {
    static Kind of(Case c) {
      return new Kind(c.group(), c.ranks(), c.precision());
    }

    /**
     * What such a group chooses. An empty one is opened, so that what cannot be is said before
     * anything is measured.
     */
    Choices choicesWith(ForcedChoices forced, SharedOptions options) {
      GroupSpec.Builder spec = options.groupSpec(group, ranks, precision, 0);
      try (Group opened = group.backend().open(forced.applyTo(spec).build())) {
        return opened.choices();
      }
    }

    boolean onCpu() {
      return group.backend().name().equals("cpu");
    }
  }

  private static List<BenchCase> baselines(
      Kind kind,
      List<BenchCase> contenders,
      Choices choices,
      SharedOptions options,
      List<String> notes) {
    if (kind.onCpu()) {
      return List.of();
    }
    List<BenchCase> baselines = new ArrayList<>(Baselines.bare(contenders));
    boolean oneDevice = kind.group().devices().stream().distinct().count() == 1;
    if (oneDevice && choices.placement().value() != Placement.SINGLE_QUEUE) {
      try {
        kind.choicesWith(options.forced().onSingleQueue(), options);
        baselines.addAll(Baselines.singleQueue(contenders));
      } catch (UnavailableException e) {
        notes.add("skipped the baselines on a single queue: " + e.getMessage());
      }
    }
    return baselines;
  }

  private static BenchCase benchCase(Case c, SharedOptions options, int inflight, int graph) {
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
          inflight,
          graph,
          Role.CONTENDER);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** What the doctor found bad of what such a group chose. */
  private static List<String> found(ProbeWarnings doctor, Kind kind, Choices choices) {
    Placement placement = choices.placement().value();
    // On one logical device ranks share its memory, and nothing is exported or imported.
    boolean apart = placement == Placement.LOGICAL || placement == Placement.PHYSICAL;
    return apart
        ? doctor.of(
            kind.group().endpoints(kind.ranks()),
            choices.transport().value(),
            choices.sync().value())
        : List.of();
  }
}
