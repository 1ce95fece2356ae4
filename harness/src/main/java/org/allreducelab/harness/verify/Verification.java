package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.Operands;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.Progress;
import org.allreducelab.harness.cli.SharedOptions;
import org.jspecify.annotations.Nullable;

/**
 * Runs cases and reports on them. Cases of one group, number of ranks and precision share open
 * groups, one per transport, and input vectors; cases that differ only in transport or operands
 * share a simulation.
 */
final class Verification {
  /** Explaining a mismatch runs every prefix of its schedule, so only the first ones are. */
  private static final int MAX_EXPLAINED = 10;

  private final SharedOptions options;
  private final int graph;
  private final Progress progress;
  private final long total;
  private final VerifyReport report = new VerifyReport();
  private long explained;
  private long done;

  /**
   * Prepares a run of many cases.
   *
   * @param graph how often each case is executed in a row, recorded as one
   * @param total number of cases, for progress
   */
  Verification(SharedOptions options, int graph, Progress progress, long total) {
    this.options = options;
    this.graph = graph;
    this.progress = progress;
    this.total = total;
  }

  /**
   * Runs all cases.
   *
   * @param cases cases of one (group, ranks, precision) lie together, those of one algorithm too
   * @throws org.allreducelab.backends.UnavailableException if a forced choice is not to be had
   */
  VerifyReport run(List<Case> cases) {
    for (int from = 0; from < cases.size(); ) {
      int to = from;
      while (to < cases.size() && sharesGroup(cases.get(from), cases.get(to))) {
        to++;
      }
      runBatch(cases.subList(from, to));
      from = to;
    }
    progress.clear();
    return report;
  }

  private static boolean sharesGroup(Case a, Case b) {
    return a.group().equals(b.group())
        && a.ranks() == b.ranks()
        && a.precision().equals(b.precision());
  }

  private void runBatch(List<Case> batch) {
    Case first = batch.get(0);
    int maxCount = batch.stream().mapToInt(Case::count).max().orElse(0);
    TestVectors data =
        TestVectors.mixed(first.precision().element(), first.ranks(), options.seed());
    byte[][] inputs = data.vectors(maxCount);
    try (TransportGroups groups =
        TransportGroups.open(options, first, inputs[0].length + (long) GroupRunner.GUARD_BYTES)) {
      for (int from = 0; from < batch.size(); ) {
        int to = from;
        while (to < batch.size() && batch.get(to).algorithm().equals(batch.get(from).algorithm())) {
          to++;
        }
        runAlgorithm(batch.subList(from, to), groups, data, inputs);
        from = to;
      }
      groups.all().stream().filter(g -> g.notRun() > 0).forEach(g -> tellNotRun(first, g));
    }
  }

  private void tellNotRun(Case any, TransportGroup group) {
    progress.clear();
    report.problem(
        List.of(
            "not run: "
                + group.whyNotRun()
                + "; "
                + group.notRun()
                + (group.notRun() == 1 ? " case" : " cases")
                + " of "
                + VerifyReport.groupTitle(any)
                + ", "
                + group.label()));
  }

  private void runAlgorithm(
      List<Case> cases, TransportGroups groups, TestVectors data, byte[][] inputs) {
    List<Case> ascending = new ArrayList<>(cases);
    ascending.sort(Comparator.comparingInt(Case::count));
    List<Map<Operands, SizeInvariance>> invariances = new ArrayList<>();
    groups.all().forEach(g -> invariances.add(new EnumMap<>(Operands.class)));
    @Nullable Expectation expected = null;
    Map<Operands, Expectation> inARow = new EnumMap<>(Operands.class);
    for (Case c : ascending) {
      DriverShutdown.requireGoingOn();
      if (expected == null || expected.schedule().count() != c.count()) {
        progress.update(String.format("case %d of %d: %s", done + 1, total, VerifyReport.title(c)));
        byte[][] prefix = prefix(inputs, c.count() * c.precision().element().bytes());
        expected =
            new Expectation(
                c.algorithm().plan(c.ranks(), c.count(), options.granule()), c.precision(), prefix);
        inARow.clear();
      }
      Expectation one = expected;
      Expectation last =
          inARow.computeIfAbsent(
              c.operands(), o -> o == Operands.IN_PLACE ? one.inARow(graph) : one);
      for (int g = 0; g < groups.all().size(); g++) {
        RankVectors result = check(c, groups.all().get(g), one.inputs(), last, data);
        if (result != null) {
          invariances
              .get(g)
              .computeIfAbsent(c.operands(), o -> new SizeInvariance(c.precision()))
              .next(result);
        }
      }
      done++;
    }
    Case any = cases.get(0);
    boolean mustHold = SizeInvariance.mustHold(any.algorithm().name(), any.ranks());
    invariances.forEach(
        byOperands -> byOperands.values().forEach(i -> report.invariance(any, i, mustHold)));
  }

  private static byte[][] prefix(byte[][] inputs, int bytes) {
    return Arrays.stream(inputs).map(v -> Arrays.copyOf(v, bytes)).toArray(byte[][]::new);
  }

  /** Runs and judges one case on one transport; null if it gave no result worth comparing. */
  private @Nullable RankVectors check(
      Case c, TransportGroup group, byte[][] inputs, Expectation expected, TestVectors data) {
    GroupRunner runner = group.runner();
    if (runner == null) {
      group.skip();
      report.notRun(c, group.label());
      return null;
    }
    GroupRunner.Outcome outcome;
    try {
      outcome = runner.run(expected.schedule(), c.operands(), inputs, graph);
    } catch (BackendException e) {
      report.judged(c, group.label(), Verdict.FAILED, 0, 0);
      problem(c, group, Verdict.FAILED, List.of(String.valueOf(e.getMessage())));
      group.reopen(String.valueOf(e.getMessage()));
      return null;
    }
    Judgement judgement = Judgement.of(expected, outcome.vectors());
    Verdict verdict =
        outcome.overrunRank() >= 0 ? judgement.verdict().or(Verdict.WRONG) : judgement.verdict();
    report.judged(
        c,
        group.label(),
        verdict,
        outcome.vectors().disagreements(c.precision().element()),
        expected.disagreements());
    if (verdict != Verdict.EXACT) {
      List<String> lines =
          explained++ < MAX_EXPLAINED
              ? new Mismatch(expected, data, graph)
                  .explain(runner, c.operands(), outcome, judgement)
              : List.of();
      problem(c, group, verdict, lines);
    }
    return verdict == Verdict.WRONG ? null : outcome.vectors();
  }

  private void problem(Case c, TransportGroup group, Verdict verdict, List<String> details) {
    progress.clear();
    List<String> lines = new ArrayList<>();
    lines.add(
        verdict.label()
            + "  "
            + VerifyReport.title(c)
            + ", "
            + group.label()
            + (c.operands() == Operands.IN_PLACE ? ", in place, " : ", out of place, ")
            + c.count()
            + (c.count() == 1 ? " element" : " elements")
            + (graph == 1 ? "" : ", " + graph + " in a row"));
    lines.addAll(details);
    lines.add("reproduce: " + Reproduction.command(c, group.transport(), graph, options));
    report.problem(lines);
  }
}
