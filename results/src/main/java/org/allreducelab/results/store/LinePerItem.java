package org.allreducelab.results.store;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;

/**
 * Breaks JSON into lines down to some level only. Two levels of a run record give one line per case
 * and per row, so that the file can be grepped and a diff shows which case changed.
 */
final class LinePerItem extends DefaultPrettyPrinter {
  private static final long serialVersionUID = 1L;
  private final int brokenLevels;

  /** Breaks lines down to that many levels, 0 for none. */
  LinePerItem(int brokenLevels) {
    this.brokenLevels = brokenLevels;
    Indenter shallow =
        new DefaultIndenter("  ", "\n") {
          private static final long serialVersionUID = 1L;

          @Override
          public void writeIndentation(JsonGenerator generator, int level) throws IOException {
            if (level <= brokenLevels) {
              super.writeIndentation(generator, level);
            } else {
              generator.writeRaw(' ');
            }
          }
        };
    indentObjectsWith(shallow);
    indentArraysWith(shallow);
  }

  /** A printer keeps the depth it is at, so each document gets its own. */
  @Override
  public DefaultPrettyPrinter createInstance() {
    return new LinePerItem(brokenLevels);
  }

  @Override
  public void writeEndObject(JsonGenerator generator, int entries) throws IOException {
    if (_nesting <= brokenLevels) {
      super.writeEndObject(generator, entries);
    } else {
      _nesting--;
      generator.writeRaw(" }");
    }
  }

  @Override
  public void writeEndArray(JsonGenerator generator, int values) throws IOException {
    if (_nesting <= brokenLevels) {
      super.writeEndArray(generator, values);
    } else {
      _nesting--;
      generator.writeRaw(" ]");
    }
  }
}
