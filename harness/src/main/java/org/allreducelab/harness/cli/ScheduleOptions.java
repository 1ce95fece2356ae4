package org.allreducelab.harness.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that decide on a schedule and its arithmetic, wherever it runs. A mixin. */
public sealed class ScheduleOptions extends SizeOptions permits SharedOptions {
  @Option(
      names = "--ranks",
      paramLabel = "LIST",
      converter = Converters.Ranks.class,
      description = "Numbers of ranks: 4, 2,4,8 or 2-8.")
  private @Nullable RankList ranks;

  public RankList ranksOr(RankList fallback) {
    return ranks == null ? fallback : ranks;
  }

  /** What {@code --ranks} says, with a default. */
  public RankChoice ranks(RankList fallback) {
    return new RankChoice(ranks, fallback);
  }

  /** What was typed of {@code --ranks}, or null. */
  public @Nullable RankList typedRanks() {
    return ranks;
  }
}
