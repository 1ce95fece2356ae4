package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tables for people: columns padded to the same width. */
final class AlignedTable {
  private AlignedTable() {}

  static String text(Table table) {
    List<List<String>> lines = cells(table);
    int[] widths = widths(lines, 0);
    StringBuilder out = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder row = new StringBuilder();
      for (int c = 0; c < line.size(); c++) {
        row.append(c == 0 ? "" : "  ").append(pad(line.get(c), widths[c], right(table, c)));
      }
      out.append(row.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }

  static String markdown(Table table) {
    List<List<String>> lines = cells(table);
    lines.replaceAll(
        line -> {
          List<String> escaped = new ArrayList<>(line);
          escaped.replaceAll(cell -> cell.replace("|", "\\|").replace("\n", "<br>"));
          return escaped;
        });
    int[] widths = widths(lines, 3);
    StringBuilder out = new StringBuilder();
    for (int l = 0; l < lines.size(); l++) {
      out.append('|');
      for (int c = 0; c < widths.length; c++) {
        out.append(' ').append(pad(lines.get(l).get(c), widths[c], right(table, c))).append(" |");
      }
      out.append('\n');
      if (l == 0) {
        out.append('|');
        for (int c = 0; c < widths.length; c++) {
          String dashes = "-".repeat(widths[c] - 1);
          out.append(' ').append(right(table, c) ? dashes + ":" : dashes + "-").append(" |");
        }
        out.append('\n');
      }
    }
    return out.toString();
  }

  private static boolean right(Table table, int column) {
    return table.columns().get(column).right();
  }

  private static List<List<String>> cells(Table table) {
    List<List<String>> lines = new ArrayList<>();
    List<String> headings = new ArrayList<>();
    table.columns().forEach(c -> headings.add(c.heading()));
    lines.add(headings);
    for (List<@Nullable Object> row : table.rows()) {
      List<String> line = new ArrayList<>();
      for (int c = 0; c < row.size(); c++) {
        line.add(shown(row.get(c), table.columns().get(c).pattern()));
      }
      lines.add(line);
    }
    return lines;
  }

  private static String shown(@Nullable Object cell, @Nullable String pattern) {
    if (cell == null) {
      return "";
    }
    return pattern != null && cell instanceof Number number
        ? String.format(Locale.ROOT, pattern, number.doubleValue())
        : cell.toString();
  }

  private static int[] widths(List<List<String>> lines, int least) {
    int[] widths = new int[lines.get(0).size()];
    java.util.Arrays.fill(widths, least);
    for (List<String> line : lines) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], length(line.get(c)));
      }
    }
    return widths;
  }

  private static String pad(String text, int width, boolean right) {
    String blanks = " ".repeat(width - length(text));
    return right ? blanks + text : text + blanks;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
