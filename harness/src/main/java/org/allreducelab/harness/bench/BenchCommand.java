package org.allreducelab.harness.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.harness.cli.LabContext;
import org.allreducelab.harness.cli.OutputOptions;
import org.allreducelab.harness.cli.SharedOptions;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.harness.cli.WholeNumber;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.SuiteInfo;
import org.allreducelab.results.store.RunFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures a suite of all-reduces under JMH, each verified before and after. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "A benchmark suite under JMH (default: quick, about two minutes).")
public final class BenchCommand implements Callable<Integer>, RunOptions.Command {
  private final LabContext context;
  @Spec private CommandSpec spec;
  @Mixin private SharedOptions shared;
  @Mixin private RunOptions runs;
  @Mixin private OutputOptions output;

  @Option(
      names = "--suite",
      paramLabel = "NAME|FILE",
      description = "smoke, quick, full, a suite file, or list (default: quick).")
  private @Nullable String suite;

  @Option(
      names = "--forks",
      paramLabel = "N",
      converter = WholeNumber.class,
      description = "JVMs per case (default: the suite's).")
  private @Nullable Integer forks;

  @SuppressWarnings("UnusedVariable") // OptionValues reads it as text, like the suite's
  @Option(
      names = "--inflight",
      paramLabel = "K",
      description =
          "All-reduces enqueued back to back before one wait, or graphs of them (default: 1).")
  private @Nullable String inflight;

  @SuppressWarnings("UnusedVariable") // likewise
  @Option(
      names = "--graph",
      paramLabel = "K",
      description =
          "All-reduces recorded as one, one after the other, as in a CUDA graph (default: 1).")
  private @Nullable String graph;

  @SuppressWarnings("UnusedVariable") // likewise
  @Option(
      names = "--baselines",
      paramLabel = "WHICH",
      description =
          "true or false: on devices, also measure a bare dispatch + wait and the kernels on a"
              + " single queue (default: true).")
  private @Nullable String baselines;

  /** Picocli sets the fields. */
  @SuppressWarnings("NullAway.Init")
  public BenchCommand(LabContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if ("list".equals(suite)) {
      return listSuites();
    }
    return runs.call(this);
  }

  private int listSuites() {
    Table table = new Table(Column.text("suite", "suite"), Column.text("what", "what it measures"));
    for (String name : Suites.BUNDLED) {
      table.row(name, Suites.bundled(name).description());
    }
    output.print(table);
    return ExitCode.OK;
  }

  @Override
  public int start() {
    Suite chosen = Suites.find(suite == null ? "quick" : suite);
    OptionValues values = OptionValues.of(chosen, spec.commandLine().getParseResult());
    BenchPlan plan = BenchPlan.of(values, context.inventory().get(), context.probes());
    ForkSettings settings = forks == null ? chosen.settings() : withForks(chosen.settings(), forks);
    if (runs.dryRun()) {
      plan.notes().forEach(err()::println);
      return showPlan(plan, settings);
    }
    try (RunSession<BenchCase> session =
        RunSession.create(
            runs.folder(chosen.name()),
            runs.commandLine(),
            chosen.name(),
            settings,
            shared.seed(),
            values.texts(),
            plan.run())) {
      plan.notes().forEach(err()::println);
      tellEstimate(plan, settings);
      return run(session);
    }
  }

  @Override
  public int goOn(Path run) {
    if (suite != null || forks != null || runs.ofNewRunsOnly()) {
      throw new UsageException(
          "--resume goes on with the run's own suite, forks and folder; leave --suite, --forks,"
              + " --out and --dry-run out");
    }
    if (!OptionValues.typed(spec.commandLine().getParseResult()).isEmpty()) {
      throw new UsageException("--resume goes on with the run's own options; leave others out");
    }
    try (RunSession<BenchCase> session = RunSession.resume(run, runs.commandLine(), this::planOf)) {
      return run(session);
    }
  }

  private RunSession.Plan<BenchCase> planOf(SuiteInfo recorded) {
    if (recorded.name().equals("decode")) {
      throw new UsageException("this is a run of lab decode; lab decode --resume goes on with it");
    }
    OptionValues values = OptionValues.recorded(recorded.options());
    return BenchPlan.of(values, context.inventory().get(), context.probes()).run();
  }

  private int run(RunSession<BenchCase> session) {
    return new AttendedRun(
            "lab bench", spec.commandLine().getOut(), err(), context.stderrIsTerminal())
        .of(session, UnaryOperator.identity(), run -> report(session, run));
  }

  private String report(RunSession<BenchCase> session, RunRecord run) {
    List<BenchRow> rows =
        BenchRow.of(session.cases(), run, new RunFolder(session.folder()).latencies());
    if (output.format() == Format.TEXT) {
      return new TextReport(rows, output.verbose()).render();
    }
    return ReportTable.of(rows).render(output.format());
  }

  private int showPlan(BenchPlan plan, ForkSettings settings) {
    Table table =
        new Table(
            Column.text("case", "case"),
            Column.number("ranks", "ranks"),
            Column.number("bytes", "bytes"),
            Column.text("algorithm", "algorithm"),
            Column.number("forks", "forks"));
    for (BenchCase c : plan.cases()) {
      table.row(c.id(), c.ranks(), c.bytes(), c.algorithm(), settings.forks());
    }
    output.print(table);
    tellEstimate(plan, settings);
    return ExitCode.OK;
  }

  private void tellEstimate(BenchPlan plan, ForkSettings settings) {
    int cases = plan.cases().size();
    ForkSettings.Estimate estimate = settings.estimate(plan.cases());
    err()
        .println(
            cases
                + (cases == 1 ? " case × " : " cases × ")
                + settings.forks()
                + (settings.forks() == 1 ? " fork: " : " forks: ")
                + (estimate.atLeast() ? "at least " : "about ")
                + ProgressLines.time(estimate.time())
                + (estimate.atLeast()
                    ? "; more where an invocation outlasts its iteration of "
                        + settings.measurement().time().toMillis()
                        + " ms"
                    : ""));
    err().flush();
  }

  private static ForkSettings withForks(ForkSettings settings, int count) {
    try {
      return settings.withForks(count);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--" + e.getMessage(), e);
    }
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
