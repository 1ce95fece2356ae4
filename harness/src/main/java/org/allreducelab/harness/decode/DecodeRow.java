package org.allreducelab.harness.decode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.ForkStatus;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.store.RunFolder;
import org.jspecify.annotations.Nullable;

/**
 * One line of the result: a view of a case, over all its measured forks.
 *
 * @param decodeCase what was measured
 * @param view which of its steps
 * @param tokensPerS tokens of these steps per second they took, by fork
 * @param step latency of a step, from when it was due
 * @param allReduce latency of an all-reduce: each one where the host waits for each, else the
 *     step's average without its computing
 * @param rankWait how long ranks waited for each other in an all-reduce, by the devices' clocks;
 *     null where they tell no time
 * @param staging what became of staging memory
 */
record DecodeRow(
    DecodeCase decodeCase,
    View view,
    List<Double> tokensPerS,
    LatencySummary step,
    LatencySummary allReduce,
    @Nullable LatencySummary rankWait,
    StagingSummary staging) {

  DecodeRow {
    tokensPerS = List.copyOf(tokensPerS);
  }

  /**
   * What a run has: views in their order, in each the traces, in each the fastest policy first.
   *
   * @param cases of the run
   */
  static List<DecodeRow> of(List<DecodeCase> cases, RunRecord run, RunFolder folder) {
    Map<ForkId, Map<String, Histogram>> phases = folder.phases();
    Timelines timelines = new Timelines(folder.path());
    List<DecodeRow> rows = new ArrayList<>();
    for (DecodeCase c : cases) {
      List<ForkId> forks =
          run.caseOf(c.id()).forks().stream()
              .filter(fork -> fork.status() == ForkStatus.OK)
              .map(ForkRecord::index)
              .map(index -> new ForkId(c.id(), index))
              .toList();
      List<List<StepSample>> samples = forks.stream().map(timelines::read).toList();
      for (View view : View.values()) {
        DecodeRow row = row(c, view, forks, samples, phases);
        if (row != null) {
          rows.add(row);
        }
      }
    }
    List<String> groups = cases.stream().map(DecodeRow::contest).distinct().toList();
    rows.sort(
        Comparator.comparing(DecodeRow::view)
            .thenComparing(row -> groups.indexOf(contest(row.decodeCase())))
            .thenComparing(DecodeRow::median, Comparator.reverseOrder()));
    return rows;
  }

  private static @Nullable DecodeRow row(
      DecodeCase c,
      View view,
      List<ForkId> forks,
      List<List<StepSample>> samples,
      Map<ForkId, Map<String, Histogram>> phases) {
    Histogram step = merged(forks, phases, view.label());
    Histogram allReduce = merged(forks, phases, view.allReduceLabel());
    Histogram wait = merged(forks, phases, view.waitLabel());
    if (step == null) {
      return null;
    }
    List<Double> tokensPerS = new ArrayList<>();
    List<StepSample> seen = new ArrayList<>();
    for (List<StepSample> ofFork : samples) {
      List<StepSample> inView = ofFork.stream().filter(view::has).toList();
      long tokens = inView.stream().mapToLong(s -> s.step().tokens()).sum();
      long elapsedNs = inView.stream().mapToLong(StepSample::elapsedNs).sum();
      tokensPerS.add(tokens * 1e9 / Math.max(1, elapsedNs));
      seen.addAll(inView);
    }
    return new DecodeRow(
        c,
        view,
        tokensPerS,
        LatencySummary.of(step),
        LatencySummary.of(allReduce == null ? step : allReduce),
        wait == null ? null : LatencySummary.of(wait),
        StagingSummary.of(seen, passes(samples)));
  }

  private static long passes(List<List<StepSample>> samples) {
    return samples.stream().flatMap(List::stream).filter(s -> s.index() == 0).count();
  }

  private static @Nullable Histogram merged(
      List<ForkId> forks, Map<ForkId, Map<String, Histogram>> phases, String name) {
    Histogram merged = null;
    for (ForkId fork : forks) {
      Histogram one = phases.getOrDefault(fork, Map.of()).get(name);
      if (one != null) {
        if (merged == null) {
          merged = new Histogram(one.getNumberOfSignificantValueDigits());
          merged.setAutoResize(true);
        }
        merged.add(one);
      }
    }
    return merged;
  }

  /** Cases that compare with each other: all but the policy is the same. */
  static String contest(DecodeCase c) {
    return String.join(",", c.devices())
        + " "
        + c.ranks()
        + " "
        + c.algorithm()
        + " "
        + c.precision().name()
        + " "
        + c.trace().name();
  }

  /** The median over the forks of tokens per second. */
  double median() {
    List<Double> sorted = tokensPerS.stream().sorted().toList();
    int n = sorted.size();
    return n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
  }

  double lowest() {
    return tokensPerS.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }

  double highest() {
    return tokensPerS.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
