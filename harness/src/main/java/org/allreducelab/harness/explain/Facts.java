package org.allreducelab.harness.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.allreducelab.algorithms.cost.Cost;
import org.allreducelab.algorithms.cost.CostModel;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.schedule.ScheduleChecker;
import org.allreducelab.algorithms.schedule.ScheduleReport;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;

/** What was proved about a schedule, what it costs on a modelled machine, and its programs. */
final class Facts {
  /** A shared-memory machine: a hop of half a microsecond, links and adders of tens of GB/s. */
  private static final CostModel MODEL = new CostModel(500, 0.05, 0.02);

  private final Schedule schedule;
  private final Precision precision;

  Facts(Schedule schedule, Precision precision) {
    this.schedule = schedule;
    this.precision = precision;
  }

  /** Proof, traffic and price, a line each. */
  String summary() {
    ScheduleReport report = ScheduleChecker.check(schedule, precision);
    Cost cost = MODEL.price(schedule, precision);
    List<String[]> facts = new ArrayList<>();
    facts.add(
        new String[] {
          "proof",
          report
              .fault()
              .map(f -> "NOT AN ALL-REDUCE: " + f)
              .orElse("every rank ends with every rank's value exactly once")
        });
    facts.add(
        new String[] {
          "",
          report
              .disagreement()
              .map(d -> "ranks may end with different bytes: " + d)
              .orElse("all ranks end with the same bytes")
        });
    facts.add(
        new String[] {
          "rounds", schedule.rounds().size() + ", " + cost.steps() + " of them with messages"
        });
    facts.add(new String[] {"messages", String.valueOf(cost.messages())});
    facts.add(new String[] {"bytes received", received(cost)});
    facts.add(new String[] {"add depth", depth(report)});
    facts.add(new String[] {"snapshots", snapshots(report)});
    facts.add(new String[] {"price", price(cost)});
    StringBuilder out = new StringBuilder();
    for (String[] fact : facts) {
      out.append(
          String.format("  %-16s%s%n", fact[0], fact[1]).replace(System.lineSeparator(), "\n"));
    }
    return out.toString();
  }

  private String received(Cost cost) {
    long vectorBytes = (long) schedule.count() * precision.element().bytes();
    String share =
        vectorBytes == 0
            ? ""
            : String.format(
                Locale.ROOT, " (%.2f vectors)", (double) cost.maxWireBytes() / vectorBytes);
    return cost.maxWireBytes()
        + " by the busiest rank"
        + share
        + ", "
        + cost.totalWireBytes()
        + " by all";
  }

  private static String depth(ScheduleReport report) {
    String wire =
        report.wireRoundings() == 0
            ? ""
            : ", and " + report.wireRoundings() + " roundings to the wire type";
    return report.addDepth() + " additions at most on the way of any value" + wire;
  }

  private static String snapshots(ScheduleReport report) {
    if (report.snapshotRounds().isEmpty()) {
      return "not needed: no rank overwrites what a peer reads in the same round";
    }
    return "needed in round "
        + report.snapshotRounds().stream().map(String::valueOf).collect(Collectors.joining(", "))
        + ": a rank overwrites what a peer reads";
  }

  private static String price(Cost cost) {
    return String.format(
        Locale.ROOT,
        "%.2f us, if a round costs %.1f us, the wire %.0f GB/s and adding %.0f GB/s",
        cost.timeNs() / 1000,
        MODEL.alphaNs() / 1000,
        1 / MODEL.betaNsPerByte(),
        1 / MODEL.gammaNsPerByte());
  }

  /** What each transport makes of it, as a table. */
  String programs() {
    Table table =
        new Table(
            Column.text("transport", "transport"),
            Column.text("operands", "operands"),
            Column.number("submissions", "submissions"),
            Column.number("waits", "waits"),
            Column.number("late", "waits between runs"),
            Column.number("slots", "slot bytes of a rank"));
    for (Transport transport : Transport.values()) {
      for (Operands operands : new Operands[] {Operands.OUT_OF_PLACE, Operands.IN_PLACE}) {
        Program program = Lowering.lower(schedule, LoweringSpec.of(precision, transport, operands));
        long slotBytes = 0;
        for (int rank = 0; rank < schedule.ranks(); rank++) {
          slotBytes = Math.max(slotBytes, program.slotBytes(rank));
        }
        table.row(
            transport.label(),
            operands == Operands.IN_PLACE ? "in place" : "out of place",
            program.submissions().size(),
            program.waits(),
            program.lateReaderWaits(),
            slotBytes);
      }
    }
    return table
        .render(Format.TEXT)
        .lines()
        .map(l -> "  " + l + "\n")
        .collect(Collectors.joining());
  }
}
