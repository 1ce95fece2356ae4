package org.allreducelab.harness.simulate;

import java.util.List;
import java.util.concurrent.Callable;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.algorithms.cost.Machine;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.harness.cli.AlgorithmList;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.harness.cli.OutputOptions;
import org.allreducelab.harness.cli.PolicyList;
import org.allreducelab.harness.cli.PrecisionList;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.SizeList;
import org.allreducelab.harness.cli.SizeOptions;
import org.allreducelab.harness.cli.Sizes;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.harness.decode.DecodePrices;
import org.allreducelab.harness.decode.TraceOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prices schedules, and decoding, on a modelled machine. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Price all-reduces on a modelled machine, without running them; with --decode, a trace under"
          + " staging policies.",
      "",
      "For instance: lab simulate --ranks 1024 --bytes 20KiB,10MiB",
      ""
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final int MOST_RANKS = 1 << 20;
  private static final List<String> OF_DECODING =
      List.of("--policy", "--model", "--trace", "--prefill", "--tokens", "--compute");

  @Spec private CommandSpec spec;
  @Mixin private SizeOptions options;
  @Mixin private MachineOptions machineOptions;
  @Mixin private TraceOptions traced;
  @Mixin private OutputOptions output;

  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      description =
          "Numbers of ranks, up to a million: 4, 2,4,8 or 2-8 (default: 8; with --decode 2).")
  private @Nullable String ranks;

  @Option(
      names = "--algorithms",
      paramLabel = "LIST",
      description = "Names, name:key=value, or all (default: all; with --decode ring).")
  private @Nullable String algorithms;

  @Option(
      names = "--decode",
      description = "Price the trace of --model, --trace, --prefill and --tokens instead.")
  private boolean decode;

  @Option(
      names = "--policy",
      paramLabel = "LIST",
      description = "With --decode: staging policies, or all (default: all).")
  private @Nullable String policy;

  @Option(
      names = "--crossovers",
      description = "Only the sizes at which another algorithm becomes the fastest.")
  private boolean crossoversOnly;

  /** Picocli sets the fields. */
  @SuppressWarnings("NullAway.Init")
  public SimulateCommand() {}

  @Override
  public Integer call() {
    if (decode) {
      refuse(
          List.of("--crossovers"),
          "compares sizes, which --decode has from its trace; leave one of them out");
      printDecodePrices();
    } else {
      refuse(
          OF_DECODING,
          "is for --decode: single all-reduces are priced here; add that or leave it out");
      printPrices();
    }
    return ExitCode.OK;
  }

  /** An option that would decide nothing is not passed over in silence. */
  private void refuse(List<String> names, String why) {
    for (String name : names) {
      if (spec.commandLine().getParseResult().hasMatchedOption(name)) {
        throw new UsageException(name + " " + why);
      }
    }
  }

  private List<Integer> ranksOr(int fallback) {
    return ranks == null ? List.of(fallback) : RankList.parse(ranks, MOST_RANKS).values();
  }

  private static <T> T one(String what, List<T> values) {
    if (values.size() != 1) {
      throw new UsageException("simulate takes one " + what + " here, not " + values.size());
    }
    return values.get(0);
  }

  // --- decoding
  // -----------------------------------------------------------------------------------

  private void printDecodePrices() {
    if (options.typedSizes() != null) {
      throw new UsageException(
          "the model and the trace decide the sizes of --decode; leave --bytes and --count out");
    }
    DriverModel driver = traced.driverModel();
    DecodePrices prices =
        new DecodePrices(machineOptions.machine(driver != null), driver, traced.computeNs());
    int n = one("number of ranks", ranksOr(2));
    Pricer.requireLowered(n);
    Precision precision =
        one("precision", options.precisionsOr(PrecisionList.parse("f32")).values());
    PrecisionList.requireDefined(precision, n);
    Algorithm algorithm =
        one("algorithm", AlgorithmList.parse(algorithms == null ? "ring" : algorithms).values());
    output.print(
        prices.table(
            new DecodePrices.Question(algorithm, n, options.granule(), precision, traced.model()),
            traced.traces(),
            PolicyList.parse(policy == null ? "all" : policy).values()));
  }

  // --- single all-reduces
  // -------------------------------------------------------------------------

  private void printPrices() {
    Precision precision =
        one("precision", options.precisionsOr(PrecisionList.parse("bf16")).values());
    DriverModel driver = traced.driverModel();
    Machine machine = machineOptions.machine(driver != null);
    Pricer pricer = new Pricer(machine, driver, precision, options.granule());
    List<Algorithm> priced = AlgorithmList.parse(algorithms == null ? "all" : algorithms).values();
    PriceTables tables = new PriceTables(pricer, priced);
    Sizes sizes = options.sizesOr(SizeList.bytes("1KiB:64MiB:x8"));
    boolean text = output.format() == Format.TEXT;
    for (int n : ranksOr(8)) {
      PrecisionList.requireDefined(precision, n);
      List<Integer> counts = sizes.counts(n, precision).stream().sorted().toList();
      if (crossoversOnly) {
        requireComparison(priced, counts);
      } else {
        tables.addPrices(n, counts);
      }
      if (crossoversOnly || text) {
        tables.addCrossovers(n, counts);
      }
    }
    Table crossovers = tables.crossovers();
    if (!crossoversOnly) {
      output.print(tables.prices());
      if (text && !crossovers.isEmpty()) {
        output.print("\n" + crossovers.render(Format.TEXT));
      }
    } else if (text && crossovers.isEmpty()) {
      output.print("no crossover: the fastest algorithm is the same at all these sizes\n");
    } else {
      output.print(crossovers);
    }
  }

  private static void requireComparison(List<Algorithm> priced, List<Integer> counts) {
    if (counts.size() < 2) {
      throw new UsageException(
          "--crossovers looks between sizes; give at least two, such as --bytes 1KiB:64MiB:x8");
    }
    if (priced.size() < 2) {
      throw new UsageException(
          "--crossovers compares algorithms; give at least two, such as --algorithms one-shot,ring");
    }
  }
}
