package org.allreducelab.harness.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.algorithms.schedule.Combine;
import org.allreducelab.algorithms.schedule.Round;
import org.allreducelab.algorithms.schedule.Schedule;

/**
 * Draws rounds as a grid: a line per round, a column per rank, and in each cell what the rank
 * computes: {@code c0 <- 3+0} folds rank 3's c0 and rank 0's, in this order. Where the grid would
 * be too wide, a round is a list.
 */
final class RoundDrawing {
  private static final String INDENT = "  ";

  private final Schedule schedule;
  private final Chunks chunks;

  RoundDrawing(Schedule schedule, Chunks chunks) {
    this.schedule = schedule;
    this.chunks = chunks;
  }

  String draw() {
    List<List<List<String>>> rounds = new ArrayList<>();
    int width = "rank 00".length();
    for (Round round : schedule.rounds()) {
      List<List<String>> cells = cells(round);
      for (List<String> cell : cells) {
        width = Math.max(width, cell.stream().mapToInt(String::length).max().orElse(0));
      }
      rounds.add(cells);
    }
    boolean grid = label(0).length() + schedule.ranks() * (width + 3) <= Flow.LINE;
    StringBuilder out = new StringBuilder();
    if (grid) {
      List<List<String>> header = new ArrayList<>();
      for (int rank = 0; rank < schedule.ranks(); rank++) {
        header.add(List.of("rank " + rank));
      }
      gridLines(out, " ".repeat(label(0).length()), header, width);
    }
    for (int i = 0; i < rounds.size(); i++) {
      if (grid) {
        gridLines(out, label(i), rounds.get(i), width);
      } else {
        listLines(out, label(i), rounds.get(i));
      }
    }
    return out.toString();
  }

  private String label(int round) {
    int digits = String.valueOf(schedule.rounds().size() - 1).length();
    String number = String.valueOf(round);
    return INDENT + "round " + " ".repeat(digits - number.length()) + number + "   ";
  }

  private List<List<String>> cells(Round round) {
    List<List<Combine>> byRank = new ArrayList<>();
    for (int rank = 0; rank < schedule.ranks(); rank++) {
      byRank.add(new ArrayList<>());
    }
    for (Combine combine : round.combines()) {
      if (!combine.span().isEmpty()) {
        byRank.get(combine.rank()).add(combine);
      }
    }
    List<List<String>> cells = new ArrayList<>();
    for (int rank = 0; rank < schedule.ranks(); rank++) {
      Map<String, List<String>> namesByOperands = new LinkedHashMap<>();
      for (Combine combine : byRank.get(rank)) {
        namesByOperands
            .computeIfAbsent(operands(combine), o -> new ArrayList<>())
            .add(chunks.name(combine.span()));
      }
      List<String> cell = new ArrayList<>();
      namesByOperands.forEach((from, names) -> cell.add(String.join(",", names) + " <- " + from));
      cells.add(cell);
    }
    return cells;
  }

  /** {@code 3+0}; a long run of neighbours in order as {@code 0+1+...+7}. */
  private static String operands(Combine combine) {
    int[] ranks = combine.operands();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ranks.length; ) {
      int end = i;
      while (end + 1 < ranks.length && ranks[end + 1] == ranks[end] + 1) {
        end++;
      }
      text.append(i == 0 ? "" : "+").append(ranks[i]);
      if (end - i >= 4) {
        text.append('+').append(ranks[i + 1]).append("+...+").append(ranks[end]);
        i = end + 1;
      } else {
        i++;
      }
    }
    return text.toString();
  }

  private static void gridLines(
      StringBuilder out, String label, List<List<String>> cells, int width) {
    int height = cells.stream().mapToInt(List::size).max().orElse(0);
    for (int line = 0; line < Math.max(1, height); line++) {
      StringBuilder text = new StringBuilder(line == 0 ? label : " ".repeat(label.length()));
      for (List<String> cell : cells) {
        String entry = line < cell.size() ? cell.get(line) : line == 0 ? "." : "";
        text.append(entry).append(" ".repeat(width + 3 - entry.length()));
      }
      out.append(text.toString().stripTrailing()).append('\n');
    }
  }

  private static void listLines(StringBuilder out, String label, List<List<String>> cells) {
    List<String> entries = new ArrayList<>();
    for (int rank = 0; rank < cells.size(); rank++) {
      for (String entry : cells.get(rank)) {
        entries.add("rank " + rank + ": " + entry);
      }
    }
    String lines = Flow.lines(" ".repeat(label.length()), entries);
    out.append(
        entries.isEmpty() ? label.stripTrailing() + "\n" : label + lines.substring(label.length()));
  }
}
