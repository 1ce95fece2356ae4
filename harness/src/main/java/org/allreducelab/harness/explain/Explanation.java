package org.allreducelab.harness.explain;

import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.harness.cli.Table;
import org.allreducelab.harness.cli.Table.Column;

/** Everything about one algorithm at one size. */
final class Explanation {
  /** More ranks than this are not drawn. */
  static final int MAX_DRAWN_RANKS = 16;

  /** More ranks than this are not lowered: nobody reads on while millions of waits are made. */
  private static final int MAX_LOWERED_RANKS = 64;

  private final Algorithm algorithm;
  private final Schedule schedule;
  private final Precision precision;

  Explanation(Algorithm algorithm, Schedule schedule, Precision precision) {
    this.algorithm = algorithm;
    this.schedule = schedule;
    this.precision = precision;
  }

  /** For people. */
  String text() {
    StringBuilder out = new StringBuilder();
    int ranks = schedule.ranks();
    out.append(algorithm.name())
        .append(": ")
        .append(algorithm.summary())
        .append("\n\n")
        .append(ranks)
        .append(ranks == 1 ? " rank, " : " ranks, ")
        .append(schedule.count())
        .append(schedule.count() == 1 ? " element" : " elements")
        .append(" of ")
        .append(precision.element().label())
        .append(" (")
        .append((long) schedule.count() * precision.element().bytes())
        .append(" bytes), precision ")
        .append(precision.name())
        .append('\n');
    if (ranks <= MAX_DRAWN_RANKS) {
      drawing(out);
    } else {
      out.append("\nRounds and sums are drawn up to ")
          .append(MAX_DRAWN_RANKS)
          .append(" ranks; --format csv lists them for any number.\n");
    }
    Facts facts = new Facts(schedule, precision);
    out.append("\nFacts\n").append(facts.summary());
    if (ranks <= MAX_LOWERED_RANKS) {
      out.append("\nPrograms, all ranks together\n").append(facts.programs());
    }
    return out.toString();
  }

  private void drawing(StringBuilder out) {
    Chunks chunks = Chunks.of(schedule);
    if (chunks.size() > 1) {
      out.append("\nChunks\n").append(Flow.lines("  ", chunks.definitions()));
    }
    out.append("\nRounds (c0 <- 3+0: chunk c0 becomes rank 3's plus rank 0's; c0 <- 3: a copy)\n")
        .append(new RoundDrawing(schedule, chunks).draw());
    if (chunks.size() == 0) {
      return;
    }
    SumExpressions sums = new SumExpressions(schedule, chunks, precision);
    out.append("\nSums (x2 is rank 2's input").append(sums.legend()).append(")\n");
    sums.lines().forEach(line -> out.append("  ").append(line).append('\n'));
  }

  /** For programs: a row per combine. */
  Table table() {
    Table table =
        new Table(
            Column.number("round", "round"),
            Column.number("rank", "rank"),
            Column.number("from", "from"),
            Column.number("to", "to"),
            Column.text("operands", "operands"));
    int index = 0;
    for (Round round : schedule.rounds()) {
      for (Combine combine : round.combines()) {
        table.row(
            index, combine.rank(), combine.span().offset(), combine.span().end(), joined(combine));
      }
      index++;
    }
    return table;
  }

  private static String joined(Combine combine) {
    StringBuilder text = new StringBuilder();
    for (int operand : combine.operands()) {
      text.append(text.length() == 0 ? "" : "+").append(operand);
    }
    return text.toString();
  }
}
