package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.allreducelab.harness.cli.Case;
import org.allreducelab.harness.cli.RankList;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;

/** Collects what verification found; the table has a row per group, precision and algorithm. */
final class VerifyReport {
  private record Key(String devices, String precision, String algorithm) {}

  private static final class Row {
    private final TreeSet<Integer> ranks = new TreeSet<>();
    private Verdict worst = Verdict.EXACT;
    private long cases;
    private long elements;
    private long disagreements;
    private long expectedDisagreements;
    private long compared;
    private long changed;
    private boolean broken;
  }

  private final Map<Key, Row> rows = new LinkedHashMap<>();
  private final List<List<String>> problems = new ArrayList<>();
  private final TreeSet<Integer> counts = new TreeSet<>();
  private final TreeSet<String> transports = new TreeSet<>();
  private long cases;
  private long failures;
  private long notRun;

  private Row row(Case c) {
    return rows.computeIfAbsent(
        new Key(c.group().label(), c.precision().name(), c.algorithm().name()), k -> new Row());
  }

  /**
   * A case with one transport.
   *
   * @param disagreements elements that the device's ranks have different bits of
   * @param expectedDisagreements the same of the simulator's
   */
  void judged(
      Case c, String transport, Verdict verdict, long disagreements, long expectedDisagreements) {
    Row row = row(c);
    row.ranks.add(c.ranks());
    row.worst = row.worst.or(verdict);
    row.cases++;
    row.elements += c.count();
    row.disagreements += disagreements;
    row.expectedDisagreements += expectedDisagreements;
    cases++;
    failures += verdict == Verdict.EXACT ? 0 : 1;
    counts.add(c.count());
    transports.add(transport);
  }

  /** A case with one transport that was left out, its group having failed too often. */
  void notRun(Case c, String transport) {
    row(c).ranks.add(c.ranks());
    cases++;
    notRun++;
    counts.add(c.count());
    transports.add(transport);
  }

  /** How the results of a case's algorithm changed with size; {@code mustHold} if they must not. */
  void invariance(Case c, SizeInvariance invariance, boolean mustHold) {
    Row row = row(c);
    row.compared += invariance.elements();
    row.changed += invariance.changed();
    if (mustHold && invariance.changed() > 0) {
      row.broken = true;
      failures++;
      problem(
          List.of(
              "NOT SIZE-INVARIANT  " + title(c) + ", as it must be: " + invariance.firstChange()));
    }
  }

  /** A heading and lines that explain it. */
  void problem(List<String> lines) {
    problems.add(List.copyOf(lines));
  }

  /** A case as problems name it, without its size. */
  static String title(Case c) {
    return c.algorithm().name() + ", " + groupTitle(c);
  }

  /** The group of a case as problems name it. */
  static String groupTitle(Case c) {
    return c.ranks()
        + (c.ranks() == 1 ? " rank, " : " ranks, ")
        + c.precision().name()
        + ", "
        + c.group().label();
  }

  List<List<String>> problems() {
    return problems;
  }

  /** All cases, run or not. */
  long cases() {
    return cases;
  }

  /** Cases that are not exact, and broken size invariances. */
  long failures() {
    return failures;
  }

  /** Cases that did not run; they are no failures, but a failure came before each. */
  long notRun() {
    return notRun;
  }

  Set<Integer> counts() {
    return counts;
  }

  Set<String> transports() {
    return transports;
  }

  /** All numbers of ranks. */
  RankList ranks() {
    TreeSet<Integer> ranks = new TreeSet<>();
    rows.values().forEach(r -> ranks.addAll(r.ranks));
    return new RankList(List.copyOf(ranks));
  }

  Table table() {
    Table table =
        new Table(
            Column.text("devices", "devices"),
            Column.text("precision", "precision"),
            Column.text("algorithm", "algorithm"),
            Column.number("ranks", "ranks"),
            Column.number("cases", "cases"),
            Column.text("verdict", "verdict"),
            Column.number("ranks_differ_percent", "ranks differ"),
            Column.number("expected_differ_percent", "expected"),
            Column.text("size_invariance", "size invariance"));
    rows.forEach(
        (key, row) ->
            table.row(
                key.devices,
                key.precision,
                key.algorithm,
                ranks(row),
                row.cases,
                row.cases == 0 ? "NOT RUN" : row.worst.label(),
                Percent.cell(row.disagreements, row.elements),
                Percent.cell(row.expectedDisagreements, row.elements),
                invariance(row)));
    return table;
  }

  private static Table.Cell ranks(Row row) {
    RankList ranks = new RankList(List.copyOf(row.ranks));
    return new Table.Cell(ranks.values(), ranks.toString());
  }

  private static String invariance(Row row) {
    if (row.compared == 0) {
      return "not compared";
    }
    if (row.changed == 0) {
      return "holds";
    }
    return (row.broken ? "BROKEN: " : "may change: ") + Percent.of(row.changed, row.compared);
  }
}
