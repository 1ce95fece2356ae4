package org.allreducelab.harness.bench;

import java.util.List;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.Lowering;
import org.allreducelab.backends.lowering.LoweringSpec;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;
import org.allreducelab.results.Bandwidth;
import org.allreducelab.results.Choice;
import org.allreducelab.results.Choices;
import org.allreducelab.results.LatencySummary;
import org.allreducelab.results.TimeParts;
import org.jspecify.annotations.Nullable;

/** The result as one table with a row per case, for Markdown, CSV and JSON. */
final class ReportTable {
  private ReportTable() {}

  static Table of(List<BenchRow> rows) {
    Table table =
        new Table(
            Column.text("devices", "devices"),
            Column.number("ranks", "ranks"),
            Column.text("precision", "precision"),
            Column.text("in_place", "in place"),
            Column.number("inflight", "in flight"),
            Column.number("graph", "graph"),
            Column.text("placement", "placement"),
            Column.text("transport", "transport"),
            Column.text("sync", "sync"),
            Column.text("barrier", "barrier"),
            Column.text("memory", "memory"),
            Column.text("queue_family", "queue family"),
            Column.text("queues", "queues"),
            Column.number("bytes", "bytes"),
            Column.number("count", "count"),
            Column.text("algorithm", "algorithm"),
            Column.text("role", "role"),
            Column.decimal("p50_us", "p50 µs", 2),
            Column.decimal("p99_us", "p99 µs", 2),
            Column.decimal("p999_us", "p99.9 µs", 2),
            Column.decimal("over_bare", "× bare", 2),
            Column.decimal("algbw_gbs", "algbw GB/s", 2),
            Column.decimal("busbw_gbs", "busbw GB/s", 2),
            Column.decimal("submit_us", "submit µs", 2),
            Column.decimal("wait_us", "wait µs", 2),
            Column.decimal("device_us", "device µs", 2),
            Column.decimal("kernels_us", "kernels µs", 2),
            Column.decimal("one_element_us", "1 element µs", 2),
            Column.number("wrong", "#wrong"),
            Column.number("samples", "samples"),
            Column.number("forks", "forks"),
            Column.number("failed_forks", "failed forks"),
            Column.number("traffic_bytes", "traffic bytes"),
            Column.text("fastest", "fastest"));
    rows.forEach(row -> add(table, row));
    return table;
  }

  private static void add(Table table, BenchRow row) {
    BenchCase c = row.benchCase();
    Choices chosen = row.record().choices();
    LatencySummary latency = row.latency();
    Bandwidth bandwidth = row.bandwidth();
    TimeParts parts = row.parts();
    table.row(
        String.join(",", c.devices()),
        c.ranks(),
        c.precision().name(),
        c.inPlace(),
        c.inflight(),
        c.graph(),
        value(chosen.placement()),
        value(chosen.transport()),
        value(chosen.sync()),
        value(chosen.barrier()),
        value(chosen.memory()),
        value(chosen.queueFamily()),
        value(chosen.queues()),
        c.bytes(),
        c.count(),
        c.algorithm(),
        c.role().label(),
        latency == null ? null : latency.p50Ns() / 1e3,
        latency == null ? null : latency.p99Ns() / 1e3,
        latency == null ? null : latency.p999Ns() / 1e3,
        row.overBare(),
        bandwidth == null ? null : bandwidth.algbwGBs(),
        bandwidth == null ? null : bandwidth.busbwGBs(),
        micros(parts.submitNs()),
        micros(parts.waitNs()),
        micros(parts.deviceNs()),
        micros(parts.kernelsNs()),
        micros(parts.oneElementNs()),
        row.wrongElements(),
        latency == null ? 0L : latency.samples(),
        row.measuredForks(),
        row.failedForks(),
        traffic(c, chosen),
        row.fastest());
  }

  private static @Nullable Double micros(@Nullable Long nanos) {
    return nanos == null ? null : Double.valueOf(nanos / 1e3);
  }

  private static @Nullable String value(@Nullable Choice choice) {
    return choice == null ? null : choice.value();
  }

  /** What the kernels of the program read and write; null where it is not known how it ran. */
  private static @Nullable Long traffic(BenchCase c, Choices chosen) {
    String transport = value(chosen.transport());
    String barrier = value(chosen.barrier());
    if (transport == null || barrier == null) {
      return null;
    }
    boolean direct = transport.equals(Transport.DIRECT.label());
    boolean relay = barrier.equals(Barrier.RELAY.label());
    LoweringSpec spec =
        LoweringSpec.of(
                c.precision(), direct ? Transport.DIRECT : Transport.STAGED_HOST, c.operands())
            .withBarrier(relay ? Barrier.RELAY : Barrier.PAIRWISE);
    return Traffic.of(Lowering.lower(c.schedule(), spec));
  }
}
