package org.allreducelab.harness.decode;

import java.util.List;
import org.allreducelab.algorithms.cost.DriverModel;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.RunRecord;

/** The result as one table with a row per policy, trace and view; decode rows first. */
final class DecodeTable {
  private DecodeTable() {}

  static Table of(List<DecodeRow> rows, RunRecord run) {
    Table table =
        new Table(
            Column.text("policy", "policy"),
            Column.text("trace", "trace"),
            Column.text("phase", "phase"),
            Column.text("emulated", "emulated"),
            Column.decimal("tokens_per_s", "tokens/s", 2),
            Column.decimal("tokens_per_s_low", "low", 2),
            Column.decimal("tokens_per_s_high", "high", 2),
            Column.decimal("step_p50_ms", "p50 ms", 3),
            Column.decimal("step_p90_ms", "p90 ms", 3),
            Column.decimal("step_p99_ms", "p99 ms", 3),
            Column.decimal("step_p999_ms", "p99.9 ms", 3),
            Column.decimal("step_max_ms", "max ms", 3),
            Column.decimal("allreduce_p50_us", "all-reduce p50 µs", 2),
            Column.decimal("allreduce_p90_us", "p90 µs", 2),
            Column.decimal("allreduce_p99_us", "p99 µs", 2),
            Column.decimal("allreduce_p999_us", "p99.9 µs", 2),
            Column.decimal("allreduce_max_us", "max µs", 2),
            Column.decimal("wait_p50_us", "wait p50 µs", 2),
            Column.decimal("wait_p99_us", "wait p99 µs", 2),
            Column.decimal("reallocations", "reallocations", 1),
            Column.decimal("reallocation_ms", "reallocation ms", 3),
            Column.decimal("rerecordings", "re-recordings", 1),
            Column.decimal("rerecording_ms", "re-recording ms", 3),
            Column.decimal("resident_mean_bytes", "resident mean", 0),
            Column.number("resident_peak_bytes", "resident peak"),
            Column.number("steps", "steps"),
            Column.number("forks", "forks"),
            Column.text("devices", "devices"),
            Column.number("ranks", "ranks"),
            Column.text("algorithm", "algorithm"),
            Column.text("precision", "precision"),
            Column.text("transport", "transport"),
            Column.text("sync", "sync"),
            Column.text("model", "model"),
            Column.text("await", "await"),
            Column.decimal("compute_ms", "compute ms", 3),
            Column.decimal("rate", "rate", 2),
            Column.text("driver_model", "driver model"),
            Column.number("slice_count", "window"));
    rows.forEach(row -> add(table, row, run));
    return table;
  }

  private static void add(Table table, DecodeRow row, RunRecord run) {
    DecodeCase c = row.decodeCase();
    DriverModel driver = c.engine().driverModel();
    LatencySummary wait = row.rankWait();
    var choices = run.caseOf(c.id()).choices();
    table.row(
        c.policy(),
        c.trace().name(),
        row.view().label(),
        driver != null,
        row.median(),
        row.lowest(),
        row.highest(),
        row.step().p50Ns() / 1e6,
        row.step().p90Ns() / 1e6,
        row.step().p99Ns() / 1e6,
        row.step().p999Ns() / 1e6,
        row.step().maxNs() / 1e6,
        row.allReduce().p50Ns() / 1e3,
        row.allReduce().p90Ns() / 1e3,
        row.allReduce().p99Ns() / 1e3,
        row.allReduce().p999Ns() / 1e3,
        row.allReduce().maxNs() / 1e3,
        wait == null ? null : wait.p50Ns() / 1e3,
        wait == null ? null : wait.p99Ns() / 1e3,
        row.staging().reallocations(),
        row.staging().reallocationNs() / 1e6,
        row.staging().rerecordings(),
        row.staging().rerecordingNs() / 1e6,
        row.staging().meanResidentBytes(),
        row.staging().peakResidentBytes(),
        row.step().samples(),
        row.tokensPerS().size(),
        String.join(",", c.devices()),
        c.ranks(),
        c.algorithm(),
        c.precision().name(),
        choices.transport() == null ? null : choices.transport().value(),
        choices.sync() == null ? null : choices.sync().value(),
        c.model().name(),
        c.engine().await().label(),
        c.engine().computeNs() / 1e6,
        c.engine().rate() == 0 ? null : c.engine().rate(),
        driver == null ? null : driver.name(),
        c.slice());
  }
}
