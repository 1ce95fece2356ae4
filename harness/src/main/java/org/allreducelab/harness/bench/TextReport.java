package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Placement;
import org.allreducelab.results.Bandwidth;
import org.allreducelab.results.Choice;
import org.allreducelab.results.Choices;
import org.allreducelab.results.LatencySummary;
import org.jspecify.annotations.Nullable;

/**
 * The result as people read it: a block per devices, ranks and precision, in the column order known
 * from nccl-tests.
 */
final class TextReport {
  private static final int NAME_WIDTH = 18;

  /** Columns that a block has where one of its rows has a value. */
  private static final List<Extra> ALWAYS = List.of(new Extra("× bare", 8, BenchRow::overBare));

  private static final List<Extra> VERBOSE =
      List.of(
          new Extra("× bare", 8, BenchRow::overBare),
          new Extra("submit µs", 11, row -> micros(row.parts().submitNs())),
          new Extra("wait µs", 10, row -> micros(row.parts().waitNs())),
          new Extra("device µs", 11, row -> micros(row.parts().deviceNs())),
          new Extra("kernels µs", 12, row -> micros(row.parts().kernelsNs())),
          new Extra("1 element µs", 14, row -> micros(row.parts().oneElementNs())));

  private final List<BenchRow> rows;
  private final List<Extra> extras;
  private final int nameWidth;

  /**
   * @param verbose whether to show where the time goes
   */
  TextReport(List<BenchRow> rows, boolean verbose) {
    this.rows = rows;
    extras = verbose ? VERBOSE : ALWAYS;
    this.nameWidth =
        rows.stream()
            .mapToInt(row -> row.benchCase().title().length())
            .reduce(NAME_WIDTH, Math::max);
  }

  /**
   * A column between the percentiles and the bandwidths.
   *
   * @param value of a row, or null
   */
  private record Extra(String heading, int width, Function<BenchRow, @Nullable Double> value) {
    boolean isKnown(List<BenchRow> block) {
      return block.stream().anyMatch(row -> value.apply(row) != null);
    }

    String head() {
      return pad(heading);
    }

    String cell(BenchRow row) {
      Double known = value.apply(row);
      return pad(known == null ? "-" : decimal(known));
    }

    private String pad(String text) {
      return " ".repeat(Math.max(1, width - text.length())) + text;
    }
  }

  String render() {
    Map<String, String> titles = titlesOfContenders();
    Map<String, List<BenchRow>> blocks = new LinkedHashMap<>();
    for (BenchRow row : rows) {
      String own = title(row);
      String title =
          row.benchCase().role() == Role.CONTENDER
              ? own
              : titles.getOrDefault(BenchRow.block(row.benchCase()), own);
      blocks.computeIfAbsent(title, t -> new ArrayList<>()).add(row);
    }
    StringBuilder text = new StringBuilder();
    blocks.forEach((title, block) -> appendBlock(text, title, block));
    return text.toString();
  }

  /** Yardsticks stand below what they measure, whatever they ran with. */
  private Map<String, String> titlesOfContenders() {
    Map<String, String> titles = new HashMap<>();
    for (BenchRow row : rows) {
      boolean known = row.record().choices().transport() != null;
      if (row.benchCase().role() == Role.CONTENDER && known) {
        titles.putIfAbsent(BenchRow.block(row.benchCase()), title(row));
      }
    }
    return titles;
  }

  private void appendBlock(StringBuilder text, String title, List<BenchRow> block) {
    List<Extra> known = extras.stream().filter(extra -> extra.isKnown(block)).toList();
    String columns =
        line(
            "bytes",
            "count",
            "algorithm",
            "p50 µs",
            "p99 µs",
            "p99.9 µs",
            known.stream().map(Extra::head).collect(Collectors.joining()),
            "algbw GB/s",
            "busbw GB/s",
            "#wrong");
    String verified = verified(block);
    int gap = Math.max(2, columns.length() - title.length() - verified.length());
    text.append(text.length() == 0 ? "" : "\n");
    text.append(title).append(" ".repeat(gap)).append(verified).append('\n');
    text.append(columns).append('\n');
    for (BenchRow row : block) {
      text.append(cells(row, known)).append(remarks(row)).append('\n');
    }
  }

  private static String remarks(BenchRow row) {
    BenchRow.Spread spread = row.spread();
    return (row.fastest() ? "  fastest" : "") + (spread == null ? "" : "  " + told(spread));
  }

  private static String told(BenchRow.Spread spread) {
    String forks = "forks " + micros(spread.leastNs()) + " to " + micros(spread.mostNs()) + " µs";
    Long least = spread.leastOneNs();
    Long most = spread.mostOneNs();
    return least == null || most == null
        ? forks
        : forks
            + " (one element "
            + micros(least.longValue())
            + ", "
            + micros(most.longValue())
            + ")";
  }

  private static String title(BenchRow row) {
    BenchCase c = row.benchCase();
    Choices chosen = row.record().choices();
    List<String> parts = new ArrayList<>();
    parts.add("# " + String.join(",", c.devices().stream().distinct().toList()));
    parts.add(c.ranks() == 1 ? "1 rank" : c.ranks() + " ranks");
    parts.add(c.precision().name());
    parts.add(c.inPlace() ? "in place" : "out of place");
    parts.add(value(chosen.transport()));
    parts.add(value(chosen.sync()));
    addUnless(parts, value(chosen.placement()), Placement.QUEUES.label());
    addUnless(parts, value(chosen.barrier()), Barrier.PAIRWISE.label());
    parts.add(value(chosen.memory()));
    if (c.forced().queueFamily() != null) {
      parts.add("queue family " + c.forced().queueFamily());
    }
    String queues = value(chosen.queues());
    if (c.forced().queues() != null && !queues.isEmpty()) {
      parts.add(queues + (queues.equals("1") ? " queue" : " queues"));
    }
    if (c.granule() != Algorithm.DEFAULT_GRANULE) {
      parts.add("granule " + c.granule());
    }
    if (c.inflight() > 1) {
      parts.add(c.inflight() + " in flight");
    }
    if (c.graph() > 1) {
      parts.add("graphs of " + c.graph());
    }
    parts.removeIf(String::isEmpty);
    return String.join(" · ", parts);
  }

  private static String value(@Nullable Choice choice) {
    return choice == null ? "" : choice.value();
  }

  private static void addUnless(List<String> parts, String value, String usual) {
    if (!value.equals(usual)) {
      parts.add(value);
    }
  }

  private static String verified(List<BenchRow> block) {
    if (block.stream().anyMatch(row -> row.failedForks() > 0)) {
      return "NOT all forks verified: see below";
    }
    return block.stream().anyMatch(BenchRow::windowed)
        ? "verified (large vectors in windows) against the simulator before and after"
        : "verified against the simulator before and after";
  }

  private String cells(BenchRow row, List<Extra> known) {
    BenchCase c = row.benchCase();
    LatencySummary latency = row.latency();
    Bandwidth bandwidth = row.bandwidth();
    String cells =
        line(
            Long.toString(c.bytes()),
            Integer.toString(c.count()),
            c.title(),
            latency == null ? "-" : micros(latency.p50Ns()),
            latency == null ? "-" : micros(latency.p99Ns()),
            latency == null ? "-" : micros(latency.p999Ns()),
            known.stream().map(extra -> extra.cell(row)).collect(Collectors.joining()),
            bandwidth == null ? "-" : decimal(bandwidth.algbwGBs()),
            bandwidth == null ? "-" : decimal(bandwidth.busbwGBs()),
            Long.toString(row.wrongElements()));
    long failed = row.failedForks();
    return failed == 0
        ? cells
        : cells + "  " + failed + " of " + row.record().forks().size() + " forks failed";
  }

  private String line(
      String bytes,
      String count,
      String algorithm,
      String p50,
      String p99,
      String p999,
      String extra,
      String algbw,
      String busbw,
      String wrong) {
    return String.format(
        Locale.ROOT,
        "%11s%10s  %-" + nameWidth + "s%9s%10s%10s%s%12s%12s%8s",
        bytes,
        count,
        algorithm,
        p50,
        p99,
        p999,
        extra,
        algbw,
        busbw,
        wrong);
  }

  private static @Nullable Double micros(@Nullable Long nanos) {
    return nanos == null ? null : Double.valueOf(nanos / 1e3);
  }

  private static String micros(long nanos) {
    return decimal(nanos / 1e3);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
