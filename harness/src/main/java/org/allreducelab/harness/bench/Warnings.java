package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.allreducelab.results.Machine;

/** What spoils numbers, one line each: printed when a run starts, and recorded with it. */
final class Warnings {
  /** Runnable processes per core beside the lab's own from which a machine is not quiet. */
  private static final double QUIET_LOAD_PER_CORE = 0.25;

  private Warnings() {}

  static List<String> of(Machine machine, List<? extends ForkCase> cases) {
    List<String> warnings = new ArrayList<>();
    int mostRanks =
        cases.stream()
            .filter(c -> c.devices().contains("cpu"))
            .mapToInt(ForkCase::ranks)
            .max()
            .orElse(0);
    if (mostRanks > machine.cores()) {
      warnings.add(
          "up to "
              + mostRanks
              + " ranks on "
              + machine.cores()
              + " cores: ranks take turns, so latency says more of the sharing than of the"
              + " algorithm");
    }
    Double load = machine.loadAverage();
    if (load != null && load > QUIET_LOAD_PER_CORE * machine.cores()) {
      warnings.add(
          String.format(
              Locale.ROOT,
              "load average %.1f on %d cores: something else may have been running",
              load,
              machine.cores()));
    }
    String governor = machine.cpuGovernor();
    if (governor != null && !governor.equals("performance")) {
      warnings.add(
          "CPU governor "
              + governor
              + ": the clock may change while measuring; performance fixes it");
    }
    return warnings;
  }

  /** What a resumed run has to add when it goes on elsewhere. */
  static List<String> ofMove(Machine before, Machine now) {
    boolean same = before.cpuModel().equals(now.cpuModel()) && before.cores() == now.cores();
    return same
        ? List.of()
        : List.of(
            "resumed on another machine ("
                + now.cpuModel()
                + ", "
                + now.cores()
                + " cores; before: "
                + before.cpuModel()
                + ", "
                + before.cores()
                + " cores): its forks do not compare");
  }
}
