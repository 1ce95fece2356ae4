package org.allreducelab.harness.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tables for programs: CSV as RFC 4180 says (but with newlines alone), and an array of objects. */
final class MachineTable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private MachineTable() {}

  static String csv(Table table) {
    StringBuilder out = new StringBuilder();
    List<String> keys = new ArrayList<>();
    table.columns().forEach(c -> keys.add(quoted(c.key())));
    out.append(String.join(",", keys)).append('\n');
    for (List<@Nullable Object> row : table.rows()) {
      List<String> cells = new ArrayList<>();
      for (Object cell : row) {
        boolean number = cell instanceof Table.Cell two && two.value() instanceof Number;
        Object shown = number ? value(cell) : cell;
        cells.add(shown == null ? "" : quoted(shown.toString()));
      }
      out.append(String.join(",", cells)).append('\n');
    }
    return out.toString();
  }

  private static @Nullable Object value(@Nullable Object cell) {
    return cell instanceof Table.Cell two ? two.value() : cell;
  }

  private static String quoted(String cell) {
    boolean plain =
        cell.indexOf(',') < 0
            && cell.indexOf('"') < 0
            && cell.indexOf('\n') < 0
            && cell.indexOf('\r') < 0;
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }

  static String json(Table table) {
    List<Map<String, @Nullable Object>> objects = new ArrayList<>();
    for (List<@Nullable Object> row : table.rows()) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      for (int c = 0; c < row.size(); c++) {
        object.put(table.columns().get(c).key(), value(row.get(c)));
      }
      objects.add(object);
    }
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(objects) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a cell that JSON cannot hold", e);
    }
  }
}
