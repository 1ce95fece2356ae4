package org.allreducelab.harness.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.allreducelab.results.ForkRecord;
import org.allreducelab.results.Measurement;
import org.allreducelab.results.store.RunFolderException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs a fork as a JMH run of one benchmark with one fork; JMH's output goes to a log file. */
final class JmhForkRunner implements ForkRunner {
  /**
   * How JMH tells that a fork ended by SIGINT, SIGKILL or SIGTERM. A terminal's Ctrl-C reaches the
   * forks too, maybe before the lab has taken notice of it.
   */
  private static final Pattern STOPPED_BY_SIGNAL =
      Pattern.compile("Forked VM failed with exit code (130|137|143)");

  private final ForkSettings settings;
  private final long seed;
  private final Path folder;
  private final Clock clock;

  /**
   * @param folder of the run: holds {@code jmh.log}, and a fork's report while the fork runs
   */
  JmhForkRunner(ForkSettings settings, long seed, Path folder, Clock clock) {
    this.settings = settings;
    this.seed = seed;
    this.folder = folder;
    this.clock = clock;
    // JMH lets one run at a time on a machine, by a file in the shared temporary folder. Which runs
    // disturb each other is for the warnings to say, and a run must not fail because of another.
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Override
  public ForkOutcome run(ForkCase forkCase, int fork) {
    Path reportFile = folder.resolve("fork-report.json").toAbsolutePath();
    Instant start = clock.instant();
    try (PrintStream log = openLog()) {
      Files.deleteIfExists(reportFile);
      String jmhJson = null;
      String failure = null;
      try {
        jmhJson = json(runJmh(options(forkCase, reportFile), log));
      } catch (RunnerException e) {
        failure = rootMessage(e);
      }
      ForkReport report = readReport(reportFile);
      Files.deleteIfExists(reportFile);
      long elapsedMs = Duration.between(start, clock.instant()).toMillis();
      return outcome(fork, start, elapsedMs, jmhJson, failure, report);
    } catch (IOException e) {
      throw RunFolderException.stopped(folder, e);
    }
  }

  private PrintStream openLog() throws IOException {
    return new PrintStream(
        Files.newOutputStream(
            folder.resolve("jmh.log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND),
        true,
        StandardCharsets.UTF_8);
  }

  private Options options(ForkCase forkCase, Path reportFile) {
    List<String> flags = new ArrayList<>(ForkJvm.flags(forkCase));
    flags.add("-D" + ForkReport.PATH_PROPERTY + "=" + reportFile);
    String method = forkCase.benchmarkClass().getName() + "." + forkCase.benchmarkMethod();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(method) + "$")
            .forks(1)
            .warmupForks(0)
            .threads(1)
            .warmupIterations(settings.warmup().count())
            .warmupTime(jmhTime(settings.warmup()))
            .measurementIterations(settings.measurement().count())
            .measurementTime(jmhTime(settings.measurement()))
            .operationsPerInvocation(forkCase.operations())
            .shouldFailOnError(true)
            .addProfiler(GCProfiler.class)
            .jvmArgs(flags.toArray(String[]::new))
            .param("seed", Long.toString(seed));
    forkCase.params().forEach((name, value) -> options.param(name, value));
    return options.build();
  }

  private static TimeValue jmhTime(Iterations iterations) {
    return TimeValue.milliseconds(iterations.time().toMillis());
  }

  private static Collection<RunResult> runJmh(Options options, PrintStream log)
      throws RunnerException {
    Collection<RunResult> results =
        new Runner(options, OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL))
            .run();
    if (results.size() != 1) {
      throw new RunnerException("expected one JMH result, got " + results.size());
    }
    return results;
  }

  private static String json(Collection<RunResult> results) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** A report that the fork could not write whole is none; JMH tells why the fork ended. */
  private static @Nullable ForkReport readReport(Path file) throws IOException {
    try {
      return Files.exists(file) ? ForkReport.read(file) : null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  static ForkOutcome outcome(
      int fork,
      Instant start,
      long elapsedMs,
      @Nullable String jmhJson,
      @Nullable String failure,
      @Nullable ForkReport report)
      throws IOException {
    boolean signalled = failure != null && STOPPED_BY_SIGNAL.matcher(failure).matches();
    if (signalled && (report == null || report.failure() == null)) {
      return new ForkOutcome(ForkRecord.interrupted(fork, start, elapsedMs), null, null);
    }
    if (report == null) {
      String why = failure == null ? "the fork left no report" : failure;
      return new ForkOutcome(
          ForkRecord.failed(fork, start, elapsedMs, null, null, why), null, null);
    }
    String reported = report.failure() == null ? failure : report.failure();
    if (reported != null || jmhJson == null) {
      String why = reported == null ? "JMH gave no result" : reported;
      return new ForkOutcome(
          ForkRecord.failed(fork, start, elapsedMs, report.before(), report.after(), why),
          report.choices(),
          null);
    }
    Measurement measurement = Measurement.of(report.samples(), jmhJson);
    return new ForkOutcome(
        ForkRecord.ok(fork, start, elapsedMs, report.before(), report.after(), measurement)
            .withParts(report.parts()),
        report.choices(),
        measurement);
  }

  /** What the benchmark threw; JMH wraps it several times and keeps it as suppressed. */
  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (true) {
      if (root.getCause() != null) {
        root = root.getCause();
      } else if (root.getSuppressed().length > 0) {
        root = root.getSuppressed()[0];
      } else {
        return root.getMessage() == null ? root.toString() : root.getMessage();
      }
    }
  }
}
