package org.allreducelab.harness.decode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.harness.cli.DurationText;
import org.allreducelab.harness.cli.UsageException;
import org.allreducelab.harness.cli.WholeNumber;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What decodes: model, trace, and the time beside the all-reduces. A mixin. */
public final class TraceOptions {
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
      names = "--compute",
      paramLabel = "TIME",
      description =
          "How long a step computes, spread evenly before its all-reduces: 0, 32ms (default: 0;"
              + " 32ms with a driver model).")
  private @Nullable String compute;

  @Option(
      names = "--driver-model",
      paramLabel = "NAME",
      description = "A driver to emulate, on cpu and on paper: radv-visibility[:perMiB=74us].")
  private @Nullable String driverModel;

  /** Picocli sets the fields. */
  public TraceOptions() {}

  public Model model() {
    return Model.named(model);
  }

  /**
   * The traces, in the order typed.
   *
   * @throws UsageException if one is unknown or its file malformed
   */
  public List<Trace> traces() {
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

  /** Time that a step computes, in nanoseconds. */
  public long computeNs() {
    if (compute == null) {
      return driverModel == null ? 0 : EMULATED_COMPUTE.toNanos();
    }
    return DurationText.parseOrZero(compute).toNanos();
  }

  /**
   * The driver to emulate, or null.
   *
   * @throws UsageException if it is unknown
   */
  public @Nullable DriverModel driverModel() {
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
}
