package org.allreducelab.harness.decode;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.allreducelab.harness.cli.SizeList;
import org.allreducelab.harness.cli.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a group behaves while it is measured. A mixin. */
final class DecodeOptions {
  @Option(
      names = "--await",
      paramLabel = "WHEN",
      description = "When the host waits: token or each (default: token).")
  private String await = "token";

  @Option(
      names = "--inactive",
      paramLabel = "RANKS",
      description = "Ranks that contribute nothing and still get the result: 2,3.")
  private @Nullable String inactive;

  @Option(
      names = "--memory-cap",
      paramLabel = "SIZE",
      description = "The most staging memory that a rank may keep: 64MiB (default: no limit).")
  private @Nullable String memoryCap;

  /** Picocli sets the fields. */
  DecodeOptions() {}

  Await await() {
    return Await.named(await);
  }

  /**
   * The inactive ranks.
   *
   * @throws UsageException if one is no rank of a group of that size, or all are inactive
   */
  Set<Integer> inactiveRanks(int ranks) {
    Set<Integer> inactiveRanks = new TreeSet<>();
    if (inactive == null) {
      return inactiveRanks;
    }
    for (String text : inactive.split(",", -1)) {
      if (!text.strip().matches("\\d{1,4}") || Integer.parseInt(text.strip()) >= ranks) {
        throw new UsageException(
            "--inactive: '" + text + "' is no rank; the ranks are 0 to " + (ranks - 1));
      }
      inactiveRanks.add(Integer.valueOf(text.strip()));
    }
    if (inactiveRanks.size() == ranks) {
      throw new UsageException(
          "--inactive: at least one of the " + ranks + " ranks must be active");
    }
    return inactiveRanks;
  }

  /** The most staging memory of a rank, {@link Long#MAX_VALUE} for no limit. */
  long memoryCapBytes() {
    if (memoryCap == null) {
      return Long.MAX_VALUE;
    }
    List<Long> sizes = SizeList.bytes(memoryCap).values();
    if (sizes.size() != 1) {
      throw new UsageException("--memory-cap must be one size, not " + memoryCap);
    }
    return sizes.get(0);
  }
}
