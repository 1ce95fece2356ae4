package org.allreducelab.harness.verify;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.data.DataKind;
import org.allreducelab.harness.cli.AlgorithmList;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.CaseMatrix;
import org.allreducelab.harness.cli.DeviceGroup;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.harness.cli.InPlace;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.LabContext;
import org.allreducelab.harness.cli.OutputOptions;
import org.allreducelab.harness.cli.PrecisionList;
import org.allreducelab.harness.cli.Progress;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.SharedOptions;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.harness.cli.WholeNumber;
import org.allreducelab.harness.probes.ProbeWarnings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs algorithms on devices and compares every byte with the reference simulator. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Every algorithm against the simulator, byte for byte.",
      "",
      "By default: all algorithms, 2-8 ranks, counts 1, n, 9, 1000 and 65543, every kind of test data"
          + " in one vector, each transport that the device has, out of place. Exit code 0 only if"
          + " every case is EXACT.",
      ""
    })
public final class VerifyCommand implements Callable<Integer> {
  private final LabContext context;
  @Spec private CommandSpec spec;
  @Mixin private SharedOptions shared;
  @Mixin private OutputOptions output;

  @Option(
      names = "--full",
      description =
          "1-8 ranks, all presets, in and out of place, more sizes; takes minutes. What is said"
              + " explicitly still counts.")
  private boolean full;

  @Option(
      names = "--vectors",
      paramLabel = "FILE",
      description =
          "Check cases with known results instead: CSV with the columns case_id,n,inputs_hex,"
              + "algorithm,precision,expected_hex.")
  private @Nullable Path vectors;

  @Option(
      names = "--graph",
      paramLabel = "K",
      converter = WholeNumber.class,
      description =
          "Execute each case K times in a row, recorded as one, as in a CUDA graph (default: 1). In"
              + " place each takes the result of the one before, so after some dozens most values have"
              + " overflowed: 3 to 16 check most. --deadline is for all K.")
  private int graph = 1;

  @SuppressWarnings("NullAway.Init")
  public VerifyCommand(LabContext context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (graph < 1 || graph > SharedOptions.MOST_IN_A_ROW) {
      throw new UsageException(
          "--graph must be 1 to %d, not %d".formatted(SharedOptions.MOST_IN_A_ROW, graph));
    }
    List<VectorRow> rows = vectors == null ? List.of() : rows(vectors);
    Inventory inventory = context.inventory().get();
    List<DeviceGroup> groups = shared.groups(inventory);
    List<String> notes = new ArrayList<>(shared.elsewhere(inventory));
    return vectors == null
        ? verifyCases(groups, notes)
        : checkVectors(vectors, groups, rows, notes);
  }

  /**
   * Tries a group of each kind of devices, then tells what is good to know before they run: an
   * error comes first, and by itself.
   */
  private void start(List<Case> cases, List<String> notes) {
    Map<DeviceGroup, Case> tried = new LinkedHashMap<>();
    cases.forEach(c -> tried.putIfAbsent(c.group(), c));
    tried.values().forEach(c -> shared.choices(c.group(), c.ranks(), c.precision()));
    PrintWriter err = spec.commandLine().getErr();
    notes.forEach(err::println);
    tried.keySet().forEach(group -> warn(group, err));
    err.flush();
  }

  /** What the doctor found bad, before it looks like a fault of an algorithm. */
  private void warn(DeviceGroup group, PrintWriter err) {
    // Twice each device: by default there are more ranks than devices.
    new ProbeWarnings(context.probes())
        .of(
            group.endpoints(2 * group.devices().size()),
            shared.forced().transport(),
            shared.forced().sync())
        .forEach(line -> err.println("warning: " + line));
  }

  private int verifyCases(List<DeviceGroup> groups, List<String> notes) {
    long startNs = System.nanoTime();
    PrintWriter err = spec.commandLine().getErr();
    CaseMatrix matrix =
        CaseMatrix.of(
            groups,
            shared.ranks(RankList.parse(full ? "1-8" : "2-8")),
            shared.precisionsOr(PrecisionList.parse(full ? "all" : "bf16")),
            shared.algorithmsOr(AlgorithmList.all()),
            shared.sizesOr(full ? VerifySizes.full() : VerifySizes.standard()),
            shared.inPlaceOr(full ? InPlace.BOTH : InPlace.FALSE));
    notes.addAll(matrix.skipped());
    start(matrix.cases(), notes);
    VerifyReport report =
        new Verification(
                shared, graph, new Progress(err, context.stderrIsTerminal()), matrix.cases().size())
            .run(matrix.cases());
    print(report.table(), report.problems());
    String coverage =
        coverage(report, matrix)
            + String.format(Locale.ROOT, ", %.1f s", (System.nanoTime() - startNs) / 1e9);
    PrintWriter to = forPeople() ? spec.commandLine().getOut() : err;
    to.println(coverage);
    to.flush();
    return report.failures() == 0 ? ExitCode.OK : ExitCode.FAILURE;
  }

  private String coverage(VerifyReport report, CaseMatrix matrix) {
    long algorithms = matrix.cases().stream().map(c -> c.algorithm().name()).distinct().count();
    String precisions =
        matrix.cases().stream()
            .map(c -> c.precision().name())
            .distinct()
            .collect(Collectors.joining(", "));
    String kinds = DataKind.all().stream().map(DataKind::label).collect(Collectors.joining(", "));
    String counts = report.counts().stream().map(String::valueOf).collect(Collectors.joining(", "));
    return (report.failures() == 0
            ? "all EXACT: "
            : report.failures()
                + " of "
                + report.cases()
                + " NOT EXACT"
                + (report.notRun() == 0 ? "" : ", " + report.notRun() + " not run")
                + ": ")
        + report.cases()
        + (report.cases() == 1 ? " case = " : " cases = ")
        + algorithms
        + (algorithms == 1 ? " algorithm" : " algorithms")
        + " × ranks "
        + report.ranks()
        + " × counts "
        + counts
        + " × "
        + precisions
        + " × "
        + matrix.cases().stream()
            .map(c -> c.operands().name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .distinct()
            .collect(Collectors.joining(", "))
        + " × "
        + String.join(", ", report.transports())
        + (graph == 1 ? "" : " × " + graph + " in a row")
        + "; every element, data "
        + kinds
        + "; seed "
        + shared.seed();
  }

  private List<VectorRow> rows(Path file) {
    if (shared.typedSizes() != null || full || graph > 1) {
      throw new UsageException(
          "--vectors has its own cases; leave out --full, --graph, --bytes and --count");
    }
    List<VectorRow> all = VectorFile.read(file);
    List<VectorRow> rows = new ArrayList<>(all);
    RankList ranks = shared.typedRanks();
    AlgorithmList algorithms = shared.typedAlgorithms();
    PrecisionList precisions = shared.typedPrecisions();
    rows.removeIf(
        row ->
            (ranks != null && !ranks.values().contains(row.ranks()))
                || (algorithms != null && !names(algorithms).contains(row.algorithm().name()))
                || (precisions != null && !precisions.values().contains(row.precision())));
    if (rows.isEmpty()) {
      throw new UsageException(
          file
              + ": no row is left to check"
              + (all.isEmpty() ? "; it has none" : " of " + all.size()));
    }
    return rows;
  }

  private static List<String> names(AlgorithmList algorithms) {
    return algorithms.values().stream().map(Algorithm::name).toList();
  }

  private int checkVectors(
      Path file, List<DeviceGroup> groups, List<VectorRow> rows, List<String> notes) {
    VectorCheck check = new VectorCheck(shared);
    Map<DeviceGroup, List<VectorRow>> rowsOf = new LinkedHashMap<>();
    for (DeviceGroup group : groups) {
      int fixed = group.fixedRanks();
      List<VectorRow> fitting =
          rows.stream().filter(r -> fixed == 0 || r.ranks() == fixed).toList();
      if (!fitting.isEmpty()) {
        rowsOf.put(group, fitting);
      }
    }
    if (rowsOf.isEmpty()) {
      throw new UsageException(file + ": no row has the number of ranks that --devices fixes");
    }
    List<Case> cases = new ArrayList<>();
    rowsOf.forEach((group, fitting) -> cases.add(check.theCase(group, fitting.get(0))));
    start(cases, notes);
    rowsOf.forEach((group, fitting) -> check.run(group, fitting, shared.inPlaceOr(InPlace.FALSE)));
    List<List<String>> problems = check.problems().stream().map(List::of).toList();
    boolean everyRow = output.verbose() || output.format() != Format.TEXT;
    print(everyRow ? check.table() : null, problems);
    PrintWriter to = forPeople() ? spec.commandLine().getOut() : spec.commandLine().getErr();
    to.println(
        (check.failures() == 0
                ? "all EXACT: "
                : check.failures() + " of " + check.runs() + " WRONG: ")
            + rows.size()
            + (rows.size() == 1 ? " row" : " rows")
            + ", "
            + check.runs()
            + " runs, simulator and device each against "
            + file);
    to.flush();
    return check.failures() == 0 ? ExitCode.OK : ExitCode.FAILURE;
  }

  private boolean forPeople() {
    return output.format() == Format.TEXT || output.format() == Format.MARKDOWN;
  }

  /** The table to standard output; problems too, unless a program reads it. */
  private void print(@Nullable Table table, List<List<String>> problems) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter to = forPeople() ? out : spec.commandLine().getErr();
    for (List<String> problem : problems) {
      to.println(problem.get(0));
      problem.subList(1, problem.size()).forEach(line -> to.println("  " + line));
    }
    if (forPeople() && !problems.isEmpty()) {
      out.println();
    }
    if (table != null) {
      out.print(table.render(output.format()));
    }
    if (table != null && forPeople()) {
      out.println();
    }
    out.flush();
    to.flush();
  }
}
