package org.allreducelab.harness.simulate;

import org.allreducelab.algorithms.cost.AlphaCounts;
import org.allreducelab.algorithms.cost.Link;
import org.allreducelab.algorithms.cost.Machine;
import org.allreducelab.harness.cli.DurationText;
import org.allreducelab.harness.cli.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The modelled machine. A mixin. */
final class MachineOptions {
  private static final double DEFAULT_ALPHA_NS = 5000;

  @Option(
      names = "--alpha",
      paramLabel = "TIME",
      description = "Latency of a step: 0, 500ns, 5us (default: 5us; 0 with a driver model).")
  private @Nullable String alpha;

  @Option(
      names = "--bandwidth",
      paramLabel = "GB/S",
      description = "What a rank's port moves one way, GB = 1e9 bytes (default: 25).")
  private double bandwidth = 25;

  @Option(
      names = "--add-bandwidth",
      paramLabel = "GB/S",
      description = "What a rank adds up, in bytes of the element type (default: 100).")
  private double addBandwidth = 100;

  @Option(
      names = "--alpha-counts",
      paramLabel = "WHAT",
      description = "What --alpha is paid for: steps or messages (default: steps).")
  private String alphaCounts = "steps";

  @Option(
      names = "--node",
      paramLabel = "RANKS",
      description = "Two levels: ranks of a node; links between nodes are the far ones.")
  private @Nullable Integer node;

  @Option(
      names = "--far-alpha",
      paramLabel = "TIME",
      description = "As --alpha, between nodes (default: twice that).")
  private @Nullable String farAlpha;

  @Option(
      names = "--far-bandwidth",
      paramLabel = "GB/S",
      description = "As --bandwidth, between nodes (default: half of that).")
  private @Nullable Double farBandwidth;

  /** Picocli sets the fields. */
  MachineOptions() {}

  /**
   * The machine.
   *
   * @param emulated whether a driver model has the latency of waits
   * @throws UsageException if a value is out of range
   */
  Machine machine(boolean emulated) {
    double nearAlpha =
        alpha == null
            ? (emulated ? 0 : DEFAULT_ALPHA_NS)
            : DurationText.parseOrZero(alpha).toNanos();
    Link near = new Link(nearAlpha, nsPerByte("--bandwidth", bandwidth));
    double gamma = nsPerByte("--add-bandwidth", addBandwidth);
    AlphaCounts counts =
        switch (alphaCounts) {
          case "steps" -> AlphaCounts.STEPS;
          case "messages" -> AlphaCounts.MESSAGES;
          default ->
              throw new UsageException(
                  "unknown --alpha-counts '" + alphaCounts + "'; known: steps, messages");
        };
    if (node == null) {
      if (farAlpha != null || farBandwidth != null) {
        throw new UsageException("--far-alpha and --far-bandwidth need --node: there is one level");
      }
      return Machine.flat(near, gamma, counts);
    }
    if (node < 1) {
      throw new UsageException("--node must be at least 1 rank, not " + node);
    }
    double farNs = farAlpha == null ? 2 * nearAlpha : DurationText.parseOrZero(farAlpha).toNanos();
    double farGb = farBandwidth == null ? bandwidth / 2 : farBandwidth;
    return new Machine(
        near, new Link(farNs, nsPerByte("--far-bandwidth", farGb)), node, gamma, counts);
  }

  /** 1 GB/s is a byte per nanosecond. */
  private static double nsPerByte(String option, double gbPerS) {
    if (!(gbPerS > 0 && gbPerS <= 1e9)) {
      throw new UsageException(option + " must be a bandwidth in GB/s above 0, not " + gbPerS);
    }
    return 1 / gbPerS;
  }
}
