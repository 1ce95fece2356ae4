package org.allreducelab.results.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.results.CaseRecord;
import org.allreducelab.results.Row;
import org.allreducelab.results.RunRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code run.json}, one line per case and one per row.
 *
 * <p>The file is written after each fork and holds every fork, twenty thousand in a full suite, so
 * the lines of cases that have not changed since the last call are kept.
 */
final class RunJsonWriter {
  private static final ObjectWriter ONE_LINE = RunJson.MAPPER.writer(new LinePerItem(0));

  private final Map<String, CaseText> texts = new HashMap<>();

  byte[] write(RunRecord run) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = RunJson.MAPPER.createGenerator(bytes)) {
      List<CaseText> cases = new ArrayList<>();
      for (CaseRecord c : run.cases()) {
        cases.add(texts.compute(c.id(), (id, known) -> upToDate(known, c)));
      }
      out.setPrettyPrinter(new LinePerItem(2));
      out.writeStartObject();
      for (Map.Entry<String, JsonNode> field : withoutCases(run).properties()) {
        out.writeFieldName(field.getKey());
        switch (field.getKey()) {
          case "cases" -> writeLines(out, cases.stream().map(CaseText::line).toList());
          case "rows" -> writeLines(out, cases.stream().flatMap(c -> c.rows().stream()).toList());
          default -> out.writeTree(field.getValue());
        }
      }
      out.writeEndObject();
      out.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e); // no I/O here: a record that Jackson cannot write
    }
    return bytes.toByteArray();
  }

  private static JsonNode withoutCases(RunRecord run) {
    return RunJson.MAPPER.valueToTree(
        new RunRecord(
            run.schemaVersion(),
            run.status(),
            run.environment(),
            run.resumed(),
            run.finished(),
            run.suite(),
            List.of()));
  }

  private static void writeLines(JsonGenerator out, List<String> lines) throws IOException {
    out.writeStartArray();
    for (String line : lines) {
      out.writeRawValue(line);
    }
    out.writeEndArray();
  }

  private static CaseText upToDate(@Nullable CaseText known, CaseRecord current) {
    return known != null && known.source().equals(current) ? known : CaseText.of(current);
  }

  /** A case and the lines it stands in. */
  private record CaseText(CaseRecord source, String line, List<String> rows) {
    static CaseText of(CaseRecord source) {
      List<String> rows = new ArrayList<>();
      for (Row row : source.rows()) {
        rows.add(oneLine(row));
      }
      return new CaseText(source, oneLine(source), rows);
    }

    private static String oneLine(Object value) {
      try {
        return ONE_LINE.writeValueAsString(value);
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
