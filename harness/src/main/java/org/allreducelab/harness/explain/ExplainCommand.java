package org.allreducelab.harness.explain;

import java.util.List;
import java.util.concurrent.Callable;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.harness.cli.AlgorithmList;
import org.allreducelab.harness.cli.ExitCode;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.harness.cli.OutputOptions;
import org.allreducelab.harness.cli.PrecisionList;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.ScheduleOptions;
import org.allreducelab.harness.cli.SizeList;
import org.allreducelab.harness.cli.Sizes;
import org.allreducelab.harness.cli.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows what an algorithm does. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = {
      "The schedule drawn, the sum that each element gets, proof and price.",
      "",
      "For instance: lab explain ring --ranks 4",
      ""
    })
public final class ExplainCommand implements Callable<Integer> {
  @Mixin private ScheduleOptions options;
  @Mixin private OutputOptions output;

  @Parameters(paramLabel = "ALGORITHM", description = "A name, or name:key=value.")
  private String name;

  /** Picocli sets the fields. */
  @SuppressWarnings("NullAway.Init")
  public ExplainCommand() {}

  @Override
  public Integer call() {
    Algorithm algorithm = one("algorithm", AlgorithmList.parse(name).values());
    int ranks = one("number of ranks", options.ranksOr(RankList.of(4)).values());
    Precision precision =
        one("precision", options.precisionsOr(PrecisionList.parse("bf16")).values());
    PrecisionList.requireDefined(precision, ranks);
    Sizes sizes = options.sizesOr(SizeList.bytes("20KiB"));
    int count = one("size", sizes.counts(ranks, precision));
    Schedule schedule = algorithm.plan(ranks, count, options.granule());
    Explanation explanation = new Explanation(algorithm, schedule, precision);
    if (output.format() == Format.TEXT) {
      output.print(explanation.text());
    } else {
      output.print(explanation.table());
    }
    return ExitCode.OK;
  }

  private static <T> T one(String what, List<T> values) {
    if (values.size() != 1) {
      throw new UsageException("explain takes one " + what + ", not " + values.size());
    }
    return values.get(0);
  }
}
