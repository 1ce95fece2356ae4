package org.allreducelab.harness.decode;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.allreducelab.harness.bench.AttendedRun;
import org.allreducelab.harness.bench.ForkSettings;
import org.allreducelab.harness.bench.Iterations;
import org.allreducelab.harness.bench.RunOptions;
import org.allreducelab.harness.bench.RunSession;
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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures decoding under staging policies. */
@Command(
    name = "decode",
    mixinStandardHelpOptions = true,
    description =
        "Decode latency across staging policies: which keeps decoding fast after a prefill?",
    footer = {
      "",
      "Messages are staged (--transport staged-host) unless --transport says otherwise, --policy is"
          + " all, --precision f32, --algorithms ring, --ranks 2 and --deadline 60s by default."
    })
public final class DecodeCommand implements Callable<Integer>, RunOptions.Command {
  /** JMH asks for a length, and ignores it where one call is one iteration. */
  private static final Duration ANY_LENGTH = Duration.ofMillis(1);

  private static final String NAME = "decode";

  /** What a run records beside its options. */
  private static final String STEPS = "trace-steps";

  /** Options that decide nothing about the cases. */
  private static final List<String> NOT_OF_THE_CASES =
      List.of("resume", "out", "format", "verbose", "dry-run");

  private final LabContext context;
  @Spec private CommandSpec spec;
  @Mixin private SharedOptions shared;
  @Mixin private TraceOptions traced;
  @Mixin private DecodeOptions decode;
  @Mixin private RunOptions runs;
  @Mixin private OutputOptions output;

  @Option(
      names = "--rate",
      paramLabel = "HZ",
      description =
          "Open loop: steps due per second; latency counts from when a step was due (default: a"
              + " step is due when the last one is done).")
  private @Nullable Double rate;

  @Option(
      names = "--forks",
      paramLabel = "N",
      converter = WholeNumber.class,
      description = "JVMs per policy and trace (default: 3).")
  private int forks = 3;

  @Option(
      names = "--passes",
      paramLabel = "N",
      converter = WholeNumber.class,
      description = "How often each JVM runs the trace (default: 1).")
  private int passes = 1;

  /** Picocli sets the fields. */
  @SuppressWarnings("NullAway.Init")
  public DecodeCommand(LabContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    return runs.call(this);
  }

  @Override
  public int goOn(Path run) {
    if (!typedOptions().isEmpty() || runs.ofNewRunsOnly()) {
      throw new UsageException("--resume goes on with the run's own options; leave others out");
    }
    try (RunSession<DecodeCase> session =
        RunSession.resume(run, runs.commandLine(), this::recordedPlan)) {
      return run(session);
    }
  }

  private RunSession.Plan<DecodeCase> recordedPlan(SuiteInfo recorded) {
    if (!recorded.name().equals(NAME)) {
      throw new UsageException(
          "this is a run of suite " + recorded.name() + "; lab bench --resume goes on with it");
    }
    Map<String, String> options = new LinkedHashMap<>(recorded.options());
    String steps = options.remove(STEPS);
    DecodeCommand typed = new DecodeCommand(context);
    List<String> args = new ArrayList<>();
    options.forEach(
        (name, values) -> {
          for (String value : values.split(";", -1)) {
            args.add("--" + name + "=" + value);
          }
        });
    new CommandLine(typed).parseArgs(args.toArray(String[]::new));
    DecodePlan plan = typed.plan();
    if (steps != null) {
      RecordedSteps.parse(steps).requireSame(plan.traces());
    }
    return plan.run();
  }

  private DecodePlan plan() {
    return DecodePlan.of(shared, traced, decode, rate(), context.inventory().get());
  }

  @Override
  public int start() {
    ForkSettings settings = settings();
    DecodePlan plan = plan();
    if (runs.dryRun()) {
      plan.notes().forEach(err()::println);
      plan.warnings().forEach(warning -> err().println("warning: " + warning));
      return showPlan(plan, settings);
    }
    Map<String, String> options = typedOptions();
    options.put(STEPS, RecordedSteps.of(plan.traces()).text());
    try (RunSession<DecodeCase> session =
        RunSession.create(
            runs.folder(NAME),
            runs.commandLine(),
            NAME,
            settings,
            shared.seed(),
            options,
            plan.run())) {
      plan.notes().forEach(err()::println);
      return run(session);
    }
  }

  private ForkSettings settings() {
    if (forks < 1 || passes < 1) {
      throw new UsageException("--forks and --passes must be at least 1");
    }
    return new ForkSettings(
        forks, new Iterations(1, ANY_LENGTH), new Iterations(passes, ANY_LENGTH));
  }

  private double rate() {
    if (rate == null) {
      return 0;
    }
    if (!(rate > 0 && rate <= 1e6)) {
      throw new UsageException("--rate must be a number of steps per second above 0, not " + rate);
    }
    return rate;
  }

  private Map<String, String> typedOptions() {
    Map<String, String> typed = new LinkedHashMap<>();
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      typed.put(
          option.longestName().replaceFirst("^--", ""),
          String.join(";", option.originalStringValues()));
    }
    NOT_OF_THE_CASES.forEach(typed::remove);
    return typed;
  }

  private int run(RunSession<DecodeCase> session) {
    return new AttendedRun(
            "lab decode", spec.commandLine().getOut(), err(), context.stderrIsTerminal())
        .of(
            session,
            new Timelines(session.folder())::keepingIn,
            run ->
                report(DecodeRow.of(session.cases(), run, new RunFolder(session.folder())), run));
  }

  private String report(List<DecodeRow> rows, RunRecord run) {
    return output.format() == Format.TEXT
        ? new DecodeText(rows, run).render()
        : DecodeTable.of(rows, run).render(output.format());
  }

  private int showPlan(DecodePlan plan, ForkSettings settings) {
    Table table =
        new Table(
            Column.text("case", "case"),
            Column.text("policy", "policy"),
            Column.text("trace", "trace"),
            Column.number("steps", "steps"),
            Column.number("largest_bytes", "largest message"),
            Column.number("window", "window"),
            Column.number("forks", "forks"));
    for (DecodeCase c : plan.cases()) {
      table.row(
          c.id(),
          c.policy(),
          c.trace().name(),
          c.trace().steps().size(),
          c.bytes(),
          c.slice(),
          settings.forks());
    }
    output.print(table);
    return ExitCode.OK;
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
