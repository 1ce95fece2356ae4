package org.allreducelab.results.store;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.SampleBuffer;

/** Results put together with JMH's own classes and written by JMH's own JSON format. */
final class JmhText {
  private final String caseParameter;
  private final List<List<List<Result<?>>>> forks = new ArrayList<>();
  private Mode mode = Mode.AverageTime;

  JmhText(String caseParameter) {
    this.caseParameter = caseParameter;
  }

  /** Adds a fork in average-time mode, one score in µs per iteration. */
  JmhText fork(double[] scoresUs) {
    List<List<Result<?>>> iterations = new ArrayList<>();
    for (double us : scoresUs) {
      iterations.add(
          new ArrayList<>(
              List.of(
                  new AverageTimeResult(
                      ResultRole.PRIMARY,
                      "ring",
                      1000,
                      Math.round(us * 1_000_000),
                      TimeUnit.MICROSECONDS))));
    }
    forks.add(iterations);
    return this;
  }

  /** Adds a fork in sampling mode, the samples of each iteration in ns. */
  JmhText sampledFork(long[]... samplesNs) {
    mode = Mode.SampleTime;
    List<List<Result<?>>> iterations = new ArrayList<>();
    for (long[] samples : samplesNs) {
      SampleBuffer buffer = new SampleBuffer();
      for (long ns : samples) {
        buffer.add(ns);
      }
      iterations.add(
          new ArrayList<>(
              List.of(
                  new SampleTimeResult(
                      ResultRole.PRIMARY, "ring", buffer, TimeUnit.MICROSECONDS))));
    }
    forks.add(iterations);
    return this;
  }

  /** Adds a profiler's metric to one iteration of the fork added last. */
  JmhText metric(int iteration, String name, double value, String unit, AggregationPolicy policy) {
    forks.get(forks.size() - 1).get(iteration).add(new ScalarResult(name, value, unit, policy));
    return this;
  }

  /** What JMH writes for all forks run in one go. */
  String write() {
    BenchmarkParams params = params();
    List<BenchmarkResult> results = new ArrayList<>();
    for (List<List<Result<?>>> fork : forks) {
      List<IterationResult> iterations = new ArrayList<>();
      for (List<Result<?>> iteration : fork) {
        IterationResult result = new IterationResult(params, params.getMeasurement(), null);
        iteration.forEach(result::addResult);
        iterations.add(result);
      }
      results.add(new BenchmarkResult(params, iterations));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out)
          .writeOut(List.of(new RunResult(params, results)));
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private BenchmarkParams params() {
    WorkloadParams workload = new WorkloadParams();
    workload.put("caseId", caseParameter, 0);
    TimeValue second = TimeValue.seconds(1);
    return new BenchmarkParams(
        "org.allreducelab.harness.AllReduce.time",
        "target",
        false,
        1,
        new int[] {1},
        List.of(),
        forks.size(),
        0,
        new IterationParams(IterationType.WARMUP, 3, second, 1),
        new IterationParams(IterationType.MEASUREMENT, forks.get(0).size(), second, 1),
        mode,
        workload,
        TimeUnit.MICROSECONDS,
        1,
        "java",
        List.of("-Xmx1g", "-Dlist=[a,b]"),
        "17.0.15",
        "OpenJDK",
        "17.0.15+6",
        "1.37",
        TimeValue.minutes(10));
  }
}
