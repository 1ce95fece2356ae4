package org.allreducelab.harness.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.allreducelab.backends.probe.Speed;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;
import org.allreducelab.harness.probes.ProbedMode;

/** What was found: for people a matrix with notes, for programs a row per mode. */
final class Report {
  private static final String RATES = "GB/s: read alone/while both sides read";
  private static final String EXCHANGE = "/each way, while both sides write and read at once";

  private final List<PairReport> pairs;

  Report(List<PairReport> pairs) {
    this.pairs = List.copyOf(pairs);
  }

  /** A row for each pair and kind of memory, a column for each kind of synchronisation. */
  Table matrix() {
    List<Column> columns =
        new ArrayList<>(
            List.of(
                Column.text("from", "from"),
                Column.text("to", "to"),
                Column.text("memory", "memory"),
                Column.text("transport", "transport")));
    for (Sync sync : Sync.values()) {
      columns.add(Column.text(sync.label(), "sync " + sync.label()));
    }
    Table table = new Table(columns.toArray(Column[]::new));
    for (PairReport report : pairs) {
      for (String memory : report.modes().stream().map(ProbedMode::memory).distinct().toList()) {
        List<Object> row = new ArrayList<>();
        row.add(report.pair().from().id());
        row.add(report.pair().to().id());
        row.add(memory);
        List<ProbedMode> modes =
            report.modes().stream().filter(m -> m.memory().equals(memory)).toList();
        row.add(modes.get(0).transport().label());
        for (Sync sync : Sync.values()) {
          row.add(
              modes.stream()
                  .filter(m -> m.sync() == sync)
                  .findFirst()
                  .map(Report::cell)
                  .orElse("–"));
        }
        table.row(row.toArray());
      }
    }
    return table;
  }

  private static String cell(ProbedMode mode) {
    Speed speed = mode.speed();
    String unspecified = mode.claim() == Claim.UNSPECIFIED ? " *" : "";
    if (speed != null) {
      return String.format(
          Locale.ROOT, "ok %s GB/s  %.1f µs%s", rates(speed), speed.hopUs(), unspecified);
    }
    String code = mode.code().isEmpty() ? "" : " (" + mode.code() + ")";
    return (mode.faulty()
            ? mode.verdict().label().toUpperCase(Locale.ROOT)
            : mode.verdict().label())
        + code
        + unspecified;
  }

  /** As {@link #RATES} and {@link #EXCHANGE} say. */
  private static String rates(Speed speed) {
    return Stream.of(speed.alone(), speed.bothRead(), speed.bothWays())
        .filter(Objects::nonNull)
        .map(rate -> String.format(Locale.ROOT, "%.1f", rate.best()))
        .collect(Collectors.joining("/"));
  }

  /** A line for each mode that does not work, then one for each reason why modes were not tried. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    Map<String, List<String>> missing = new LinkedHashMap<>();
    boolean unspecified = false;
    boolean readsBoth = false;
    boolean exchanges = false;
    for (PairReport report : pairs) {
      for (ProbedMode mode : report.modes()) {
        String title = report.pair().label() + ", " + mode.memory() + ", " + mode.sync().label();
        unspecified |= mode.claim() == Claim.UNSPECIFIED;
        Speed speed = mode.speed();
        readsBoth |= speed != null && speed.bothRead() != null;
        exchanges |= speed != null && speed.bothWays() != null;
        if (mode.bad()) {
          notes.add(title + ": " + mode.explanation());
        } else if (mode.verdict() == ProbeVerdict.NOT_CLAIMED) {
          missing.computeIfAbsent(mode.detail(), k -> new ArrayList<>()).add(title);
        }
      }
    }
    missing.forEach(
        (reason, titles) -> {
          String others = titles.size() == 1 ? "" : " and " + (titles.size() - 1) + " more";
          notes.add(titles.get(0) + others + ": not claimed: " + reason);
        });
    if (readsBoth) {
      notes.add(RATES + (exchanges ? EXCHANGE : ""));
    }
    if (unspecified) {
      notes.add("* outside the Vulkan specification: no fault if it fails, used only if it works");
    }
    return notes;
  }

  /** One line: how many modes are claimed and work, and how old the oldest verdict is. */
  String summary() {
    long claimed = modes().stream().filter(m -> m.claim() == Claim.CLAIMED).count();
    long cached = pairs.stream().mapToLong(p -> p.cached().size()).sum();
    String oldest =
        pairs.stream()
            .flatMap(p -> p.cached().stream())
            .map(ProbedMode::probedAt)
            .min(String::compareTo)
            .orElse("");
    return (faults() == 0
            ? "all " + claimed + " claimed modes work"
            : faults() + " of " + claimed + " claimed modes DO NOT WORK")
        + (cached == 0
            ? ""
            : "; " + cached + " known from " + oldest + " on, --fresh tries them again");
  }

  /** How many modes are claimed and do not work. */
  long faults() {
    return modes().stream().filter(ProbedMode::faulty).count();
  }

  private List<ProbedMode> modes() {
    return pairs.stream().flatMap(p -> p.modes().stream()).toList();
  }

  /** Everything, a row per mode. */
  Table rows() {
    Table table =
        new Table(
            Column.text("from", "from"),
            Column.text("to", "to"),
            Column.text("transport", "transport"),
            Column.text("memory", "memory"),
            Column.text("sync", "sync"),
            Column.text("claim", "claim"),
            Column.text("verdict", "verdict"),
            Column.text("code", "code"),
            Column.text("engine", "engine"),
            Column.number("bytes", "bytes"),
            Column.number("offset", "offset"),
            Column.text("place", "place"),
            Column.number("wrong_byte", "wrong byte"),
            Column.number("expected", "expected"),
            Column.number("actual", "actual"),
            Column.decimal("copy_gb_per_s", "copy GB/s", 2),
            Column.decimal("kernel_gb_per_s", "kernel GB/s", 2),
            Column.decimal("both_read_copy_gb_per_s", "both read copy GB/s", 2),
            Column.decimal("both_read_kernel_gb_per_s", "both read kernel GB/s", 2),
            Column.decimal("both_ways_copy_gb_per_s", "both ways copy GB/s", 2),
            Column.decimal("both_ways_kernel_gb_per_s", "both ways kernel GB/s", 2),
            Column.decimal("hop_us", "hop µs", 1),
            Column.text("probed_at", "probed at"),
            Column.text("cached", "cached"),
            Column.text("detail", "detail"));
    for (PairReport report : pairs) {
      for (ProbedMode mode : report.modes()) {
        var attempt = mode.attempt();
        var wrong = mode.wrongByte();
        var speed = mode.speed();
        var bothRead = speed == null ? null : speed.bothRead();
        var bothWays = speed == null ? null : speed.bothWays();
        table.row(
            report.pair().from().id(),
            report.pair().to().id(),
            mode.transport().label(),
            mode.memory(),
            mode.sync().label(),
            mode.claim().label(),
            mode.verdict().label(),
            mode.code(),
            attempt == null ? null : attempt.engine().label(),
            attempt == null ? null : attempt.block().bytes(),
            attempt == null ? null : attempt.block().offset(),
            attempt == null ? null : attempt.place().label(),
            wrong == null ? null : wrong.index(),
            wrong == null ? null : wrong.expected(),
            wrong == null ? null : wrong.actual(),
            speed == null ? null : speed.alone().copyGbPerS(),
            speed == null ? null : speed.alone().kernelGbPerS(),
            bothRead == null ? null : bothRead.copyGbPerS(),
            bothRead == null ? null : bothRead.kernelGbPerS(),
            bothWays == null ? null : bothWays.copyGbPerS(),
            bothWays == null ? null : bothWays.kernelGbPerS(),
            speed == null ? null : speed.hopUs(),
            mode.probedAt(),
            report.cached().contains(mode),
            mode.detail());
      }
    }
    return table;
  }
}
