package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.harness.cli.UsageException;

/** Splits a CSV line as RFC 4180 says; a quoted field may hold commas and doubled quotes. */
final class CsvLines {
  private CsvLines() {}

  /**
   * The fields of a line.
   *
   * @param where the line as messages name it
   * @throws UsageException if a quote does not close, or text follows one that does
   */
  static List<String> fields(String where, String line) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (true) {
      StringBuilder field = new StringBuilder();
      if (at < line.length() && line.charAt(at) == '"') {
        at = quoted(where, line, at + 1, field);
      } else {
        int comma = line.indexOf(',', at);
        int end = comma < 0 ? line.length() : comma;
        field.append(line, at, end);
        at = end;
      }
      fields.add(field.toString());
      if (at == line.length()) {
        return fields;
      }
      if (line.charAt(at) != ',') {
        throw new UsageException(where + ": a comma must follow a quoted field");
      }
      at++;
    }
  }

  private static int quoted(String where, String line, int from, StringBuilder field) {
    int at = from;
    while (true) {
      int quote = line.indexOf('"', at);
      if (quote < 0) {
        throw new UsageException(where + ": a quote does not close");
      }
      field.append(line, at, quote);
      if (quote + 1 == line.length() || line.charAt(quote + 1) != '"') {
        return quote + 1;
      }
      field.append('"');
      at = quote + 2;
    }
  }
}
