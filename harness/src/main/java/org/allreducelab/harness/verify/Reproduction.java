package org.allreducelab.harness.verify;

import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.SharedOptions;
import org.jspecify.annotations.Nullable;

/** The command that runs one case again. */
final class Reproduction {
  private Reproduction() {}

  static String command(Case c, @Nullable Transport transport, int graph, SharedOptions options) {
    return "./lab verify --devices "
        + quoted(c.group().option())
        + (c.group().fixedRanks() > 0 ? "" : " --ranks " + c.ranks())
        + " --algorithms "
        + c.algorithm().name()
        + " --count "
        + c.count()
        + " --precision "
        + c.precision().name()
        + (transport == null ? "" : " --transport " + transport.label())
        + " --in-place "
        + (c.operands() == Operands.IN_PLACE)
        + (graph > 1 ? " --graph " + graph : "")
        + options.forcedOptions()
        + " --seed "
        + options.seed();
  }

  private static String quoted(String text) {
    return text.contains(" ") ? "'" + text + "'" : text;
  }
}
