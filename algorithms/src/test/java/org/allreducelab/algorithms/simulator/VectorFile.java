package org.allreducelab.algorithms.simulator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads the CSV files of known results. */
final class VectorFile {
  private VectorFile() {}

  /** One case. */
  record Row(Map<String, String> cells) {
    int ranks() {
      return Integer.parseInt(text("n"));
    }

    String text(String column) {
      return Objects.requireNonNull(cells.get(column), column);
    }

    int[] bits(String column) {
      String[] words = text(column).split(";", -1);
      int[] bits = new int[words.length];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = Integer.parseInt(words[i], 16);
      }
      return bits;
    }

    @Override
    public String toString() {
      return cells.getOrDefault("case_id", "n=" + text("n"));
    }
  }

  static List<Row> read(String name) {
    List<String> lines = lines(name);
    String[] header = lines.get(0).split(",", -1);
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      if (cells.length != header.length) {
        throw new IllegalStateException(name + ": not " + header.length + " cells: " + line);
      }
      Map<String, String> row = new HashMap<>();
      for (int i = 0; i < header.length; i++) {
        row.put(header[i], cells[i]);
      }
      rows.add(new Row(row));
    }
    return rows;
  }

  private static List<String> lines(String name) {
    try (InputStream in = VectorFile.class.getResourceAsStream("/vectors/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
