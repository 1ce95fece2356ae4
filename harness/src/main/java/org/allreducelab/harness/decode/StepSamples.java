package org.allreducelab.harness.decode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.allreducelab.harness.bench.Latencies;

/** The samples of a fork: a line per step, and a histogram per view of them. */
final class StepSamples {
  /** The all-reduces of a step were added one by one. */
  static final long ALREADY_ADDED = -1;

  private final Map<View, Histogram> steps = new LinkedHashMap<>();
  private final Map<View, Histogram> allReduces = new LinkedHashMap<>();
  private final Map<View, Histogram> waits = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private int pass;

  StepSamples() {
    for (View view : View.values()) {
      steps.put(view, Latencies.newHistogram());
      allReduces.put(view, Latencies.newHistogram());
      waits.put(view, Latencies.newHistogram());
    }
  }

  /**
   * Adds a step.
   *
   * @param allReduceNs what one of its all-reduces took on average, or {@link #ALREADY_ADDED}
   */
  void add(StepSample sample, long allReduceNs) {
    lines.add(sample.line(pass));
    for (View view : View.values()) {
      if (view.has(sample)) {
        histogram(steps, view).recordValue(sample.latencyNs());
        if (allReduceNs != ALREADY_ADDED) {
          histogram(allReduces, view).recordValue(allReduceNs);
        }
      }
    }
  }

  /** Adds a single all-reduce of a step. */
  void addAllReduce(Phase phase, long elapsedNs) {
    add(allReduces, phase, elapsedNs);
  }

  /** Adds how long ranks waited for each other in an all-reduce, by the devices' clocks. */
  void addWait(Phase phase, long waitNs) {
    add(waits, phase, waitNs);
  }

  private static void add(Map<View, Histogram> to, Phase phase, long elapsedNs) {
    for (View view : View.values()) {
      if (view.hasAllOf(phase)) {
        histogram(to, view).recordValue(elapsedNs);
      }
    }
  }

  void endPass() {
    pass++;
  }

  /** The lines of the timeline, in order. */
  List<String> lines() {
    return Collections.unmodifiableList(lines);
  }

  /** What stands for the case where there is room for one histogram: tokens after the prompt. */
  Histogram headline() {
    Histogram decode = histogram(steps, View.DECODE);
    return decode.getTotalCount() > 0 ? decode : histogram(steps, View.PREFILL);
  }

  /** All histograms that hold anything, by the names they have in the log. */
  Map<String, Histogram> named() {
    Map<String, Histogram> named = new LinkedHashMap<>();
    for (View view : View.values()) {
      put(named, view.label(), histogram(steps, view));
      put(named, view.allReduceLabel(), histogram(allReduces, view));
      put(named, view.waitLabel(), histogram(waits, view));
    }
    return named;
  }

  private static void put(Map<String, Histogram> named, String name, Histogram histogram) {
    if (histogram.getTotalCount() > 0) {
      named.put(name, histogram);
    }
  }

  private static Histogram histogram(Map<View, Histogram> of, View view) {
    Histogram histogram = of.get(view);
    if (histogram == null) {
      throw new IllegalStateException("no histogram for " + view);
    }
    return histogram;
  }
}
