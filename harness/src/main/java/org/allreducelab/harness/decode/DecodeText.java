package org.allreducelab.harness.decode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.harness.cli.Format;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;
import org.allreducelab.results.Choice;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.RunRecord;
import org.jspecify.annotations.Nullable;

/** The result as people read it: a block per contest, the policies ranked, and a verdict. */
final class DecodeText {
  private final List<DecodeRow> rows;
  private final RunRecord run;

  DecodeText(List<DecodeRow> rows, RunRecord run) {
    this.rows = rows;
    this.run = run;
  }

  String render() {
    Map<String, List<DecodeRow>> blocks = new LinkedHashMap<>();
    for (DecodeRow row : rows) {
      blocks
          .computeIfAbsent(DecodeRow.contest(row.decodeCase()), contest -> new ArrayList<>())
          .add(row);
    }
    StringBuilder text = new StringBuilder();
    for (List<DecodeRow> block : blocks.values()) {
      text.append(text.isEmpty() ? "" : "\n").append(title(block.get(0))).append('\n');
      text.append(table(block).render(Format.TEXT));
      List<DecodeRow> ranked = block.stream().filter(r -> r.view() == View.DECODE).toList();
      if (!ranked.isEmpty()) {
        text.append(emulated(block.get(0))).append(Verdict.of(ranked)).append('\n');
      }
    }
    return text.toString();
  }

  private static String emulated(DecodeRow row) {
    return row.decodeCase().engine().driverModel() == null ? "" : "emulated; ";
  }

  private String title(DecodeRow row) {
    DecodeCase c = row.decodeCase();
    DriverModel driver = c.engine().driverModel();
    var choices = run.caseOf(c.id()).choices();
    List<String> parts = new ArrayList<>();
    parts.add("# " + String.join(",", c.devices().stream().distinct().toList()));
    parts.add(c.ranks() + (c.ranks() == 1 ? " rank" : " ranks"));
    parts.add(c.algorithm());
    parts.add(c.precision().name());
    parts.add(value(choices.transport()));
    parts.add(value(choices.sync()));
    parts.add(c.model().name());
    parts.add(c.trace().name());
    if (c.engine().computeNs() > 0) {
      parts.add(
          String.format(Locale.ROOT, "%.1f ms computing a step", c.engine().computeNs() / 1e6));
    }
    if (c.engine().await() == Await.EACH) {
      parts.add("a host wait per all-reduce");
    }
    if (c.engine().rate() > 0) {
      parts.add(String.format(Locale.ROOT, "%.1f steps due a second", c.engine().rate()));
    }
    if (!c.engine().inactiveRanks().isEmpty()) {
      parts.add("inactive " + c.engine().inactiveRanks());
    }
    if (driver != null) {
      parts.add("EMULATED " + driver.name());
    }
    parts.removeIf(String::isEmpty);
    return String.join(" · ", parts);
  }

  private static String value(@Nullable Choice choice) {
    return choice == null ? "" : choice.value();
  }

  private static Table table(List<DecodeRow> block) {
    Table table =
        new Table(
            Column.text("phase", "phase"),
            Column.text("policy", "policy"),
            Column.decimal("tokens_per_s", "tokens/s", 2),
            Column.decimal("p50", "p50 ms", 2),
            Column.decimal("p99", "p99 ms", 2),
            Column.decimal("max", "max ms", 2),
            Column.decimal("allreduce", "all-reduce µs", 1),
            Column.decimal("wait", "waits µs", 1),
            Column.decimal("reallocations", "reallocs", 0),
            Column.decimal("reallocation", "took ms", 2),
            Column.decimal("mean", "resident MiB", 2),
            Column.decimal("peak", "peak MiB", 2));
    View view = null;
    for (DecodeRow row : block) {
      LatencySummary wait = row.rankWait();
      table.row(
          row.view() == view ? "" : row.view().label(),
          row.decodeCase().policy(),
          row.median(),
          row.step().p50Ns() / 1e6,
          row.step().p99Ns() / 1e6,
          row.step().maxNs() / 1e6,
          row.allReduce().p50Ns() / 1e3,
          wait == null ? null : wait.p50Ns() / 1e3,
          row.staging().reallocations(),
          (row.staging().reallocationNs() + row.staging().rerecordingNs()) / 1e6,
          row.staging().meanResidentBytes() / (1 << 20),
          row.staging().peakResidentBytes() / (double) (1 << 20));
      view = row.view();
    }
    return table;
  }
}
