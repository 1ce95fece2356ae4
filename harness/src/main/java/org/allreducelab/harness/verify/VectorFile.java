package org.allreducelab.harness.verify;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.allreducelab.harness.cli.UsageException;

/** A file of cases with known results. */
final class VectorFile {
  private VectorFile() {}

  /**
   * Reads all rows; blank lines are left out.
   *
   * @throws UsageException if the file cannot be read, its first line is not the header, or a row
   *     is malformed
   */
  static List<VectorRow> read(Path file) {
    List<String> lines = lines(file);
    String header = String.join(",", VectorRow.COLUMNS);
    String first = lines.isEmpty() ? "" : lines.get(0).replace("\uFEFF", "").strip();
    if (!first.equals(header)) {
      throw new UsageException(file + ":1: expected the header " + header);
    }
    List<VectorRow> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        rows.add(VectorRow.parse(file + ":" + (i + 1), lines.get(i).strip()));
      }
    }
    return rows;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new UsageException("no such file: " + file, e);
    } catch (MalformedInputException e) {
      throw new UsageException(file + " is no UTF-8 text", e);
    } catch (IOException e) {
      throw new UsageException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }
}
