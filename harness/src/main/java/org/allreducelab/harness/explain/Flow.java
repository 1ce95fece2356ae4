package org.allreducelab.harness.explain;

import java.util.List;

/** Lays short texts out in lines of equal columns. */
final class Flow {
  /** Columns of a line of text. */
  static final int LINE = 100;

  private Flow() {}

  /** As many texts in a line as fit, each line after an indent. */
  static String lines(String indent, List<String> texts) {
    int width = texts.stream().mapToInt(String::length).max().orElse(0) + 3;
    int perLine = Math.max(1, (LINE - indent.length()) / width);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < texts.size(); i += perLine) {
      StringBuilder line = new StringBuilder(indent);
      for (String text : texts.subList(i, Math.min(texts.size(), i + perLine))) {
        line.append(text).append(" ".repeat(width - text.length()));
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }
}
