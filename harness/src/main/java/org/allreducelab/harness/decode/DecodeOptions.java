package org.allreducelab.harness.decode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.harness.cli.DurationText;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.SizeList;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.harness.cli.WholeNumber;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What decodes, and how the engine around it behaves. A mixin of decode and simulate. */
public final class DecodeOptions {
  private static final Duration EMULATED_COMPUTE = Duration.ofMillis(32);

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "3b, 8b, 32b or 70b (default: 32b).")
  private String model = "32b";

  @Option(
      names = "--trace",
      paramLabel = "LIST",
      description =
          "single-turn, multi-turn, chunked-prefill, speculative, ubatch-tail, or a trace file"
              + " (default: single-turn).")
  private String trace = "single-turn";

  @Option(
      names = "--prefill",
      paramLabel = "TOKENS",
      converter = WholeNumber.class,
      description = "Tokens of a prompt (default: 512).")
  private int prefill = 512;

  @Option(
      names = "--tokens",
      paramLabel = "TOKENS",
      converter = WholeNumber.class,
      description = "Tokens to decode in a session (default: 64).")
  private int tokens = 64;

  @Option(
      names = "--await",
      paramLabel = "WHEN",
      description = "When the host waits: token or each (default: token).")
  private String await = "token";

  @Option(
      names = "--compute",
      paramLabel = "TIME",
      description =
          "How long a step computes, spread evenly before its all-reduces: 0, 32ms (default: 0;"
              + " 32ms with a driver model).")
  private @Nullable String compute;

  @Option(
      names = "--driver-model",
      paramLabel = "NAME",
      description = "Emulate a driver, on cpu: radv-visibility[:perMiB=74us].")
  private @Nullable String driverModel;

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
  public DecodeOptions() {}

  Model model() {
    return Model.named(model);
  }

  /**
   * The traces, in the order typed.
   *
   * @throws UsageException if one is unknown or its file malformed
   */
  List<Trace> traces() {
    requireAtLeastOne("--prefill", prefill);
    requireAtLeastOne("--tokens", tokens);
    List<Trace> traces = new ArrayList<>();
    for (String name : trace.split(",", -1)) {
      boolean file = name.contains("/") || name.contains(".") || Files.isRegularFile(Path.of(name));
      traces.add(file ? TraceFile.read(Path.of(name)) : Trace.named(name, prefill, tokens));
    }
    return traces;
  }

  private static void requireAtLeastOne(String option, int value) {
    if (value < 1) {
      throw new UsageException(option + " must be at least 1, not " + value);
    }
  }

  Await await() {
    return Await.named(await);
  }

  /** Time that a step computes, in nanoseconds. */
  long computeNs() {
    if (compute == null) {
      return driverModel == null ? 0 : EMULATED_COMPUTE.toNanos();
    }
    return compute.equals("0") ? 0 : DurationText.parse(compute).toNanos();
  }

  /**
   * The driver to emulate, or null.
   *
   * @throws UsageException if it is unknown
   */
  @Nullable DriverModel driverModel() {
    String text = driverModel;
    if (text == null) {
      return null;
    }
    try {
      return DriverModel.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
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
    return memoryCap == null ? Long.MAX_VALUE : SizeList.bytes(memoryCap).values().get(0);
  }

  /** With this many ranks unless something else is typed. */
  static RankList defaultRanks() {
    return RankList.of(2);
  }
}
