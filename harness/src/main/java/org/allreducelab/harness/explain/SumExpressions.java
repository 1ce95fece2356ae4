package org.allreducelab.harness.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.allreducelab.algorithms.numerics.Accumulate;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.OwnOperand;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;

/**
 * The sum that each chunk ends up with on each rank, as a formula: x2 is rank 2's input,
 * parentheses give the order of additions, each rounded. Square brackets are a fold that is rounded
 * once, at its end; w(…) is a value rounded to a narrower wire type.
 */
final class SumExpressions {
  private final Schedule schedule;
  private final Chunks chunks;
  private final boolean narrows;
  private final boolean narrowsOwn;
  private final boolean roundsOnce;

  /** Formulas by rank and chunk. */
  private final String[][] state;

  SumExpressions(Schedule schedule, Chunks chunks, Precision precision) {
    this.schedule = schedule;
    this.chunks = chunks;
    this.narrows = schedule.ranks() > 1 && precision.narrowsWire(schedule.count());
    this.narrowsOwn = narrows && precision.ownOperand() == OwnOperand.WIRE;
    this.roundsOnce =
        precision.element() != ElementType.F32 && precision.accumulate() == Accumulate.F32;
    this.state = new String[schedule.ranks()][chunks.size()];
    for (int rank = 0; rank < state.length; rank++) {
      Arrays.fill(state[rank], "x" + rank);
    }
    schedule.rounds().forEach(this::apply);
  }

  private void apply(Round round) {
    String[][] before = Arrays.stream(state).map(String[]::clone).toArray(String[][]::new);
    for (Combine combine : round.combines()) {
      int end = chunks.startingAt(combine.span().end());
      for (int chunk = chunks.startingAt(combine.span().offset()); chunk < end; chunk++) {
        if (!combine.span().isEmpty()) {
          state[combine.rank()][chunk] = fold(combine, before, chunk);
        }
      }
    }
  }

  private String fold(Combine combine, String[][] before, int chunk) {
    String sum = "";
    for (int k = 0; k < combine.operandCount(); k++) {
      int source = combine.operand(k);
      boolean wired = narrows && (narrowsOwn || source != combine.rank());
      String value = wired ? wired(before[source][chunk]) : before[source][chunk];
      boolean nested = k > 1 && !roundsOnce;
      sum = k == 0 ? value : (nested ? "(" + sum + ")" : sum) + "+" + value;
    }
    if (combine.isCopy()) {
      return sum;
    }
    return roundsOnce ? "[" + sum + "]" : "(" + sum + ")";
  }

  private static String wired(String value) {
    if (value.startsWith("w(")) {
      return value;
    }
    return value.startsWith("(") ? "w" + value : "w(" + value + ")";
  }

  /** What the formulas need beyond parentheses, to follow a list of words. */
  String legend() {
    return (roundsOnce ? ", [...] is added in f32 and rounded once" : "")
        + (narrows ? ", w(...) is rounded to the wire type" : "");
  }

  /** Lines {@code c0 ((x0+x1)+x2)+x3}; chunks and ranks with the same formula together. */
  List<String> lines() {
    List<String> names = new ArrayList<>();
    List<String> formulas = new ArrayList<>();
    for (int from = 0; from < chunks.size(); ) {
      int to = from + 1;
      while (to < chunks.size() && sameOnAllRanks(from, to)) {
        to++;
      }
      Map<String, List<Integer>> byFormula = new LinkedHashMap<>();
      for (int rank = 0; rank < schedule.ranks(); rank++) {
        byFormula.computeIfAbsent(state[rank][from], f -> new ArrayList<>()).add(rank);
      }
      String chunk = chunks.name(from, to);
      byFormula.forEach(
          (formula, ranks) -> {
            names.add(chunk + (byFormula.size() == 1 ? "" : " on " + ranks(ranks)));
            formulas.add(outer(formula));
          });
      from = to;
    }
    int width = names.stream().mapToInt(String::length).max().orElse(0);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      lines.add(names.get(i) + " ".repeat(width + 3 - names.get(i).length()) + formulas.get(i));
    }
    return lines;
  }

  private boolean sameOnAllRanks(int a, int b) {
    return Arrays.stream(state).allMatch(chunk -> chunk[a].equals(chunk[b]));
  }

  private static String ranks(List<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ")
        + ranks.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Without the parentheses around the whole. */
  private static String outer(String formula) {
    return formula.startsWith("(") ? formula.substring(1, formula.length() - 1) : formula;
  }
}
