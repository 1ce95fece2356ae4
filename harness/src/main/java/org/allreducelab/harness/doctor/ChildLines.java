package org.allreducelab.harness.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.allreducelab.backends.probe.Attempt;
import org.allreducelab.backends.probe.ProbeFinding;
import org.jspecify.annotations.Nullable;

/**
 * What a probing child tells its parent: a line each, of a mark, a word and JSON. Drivers and the
 * JVM write to the same stream, so the mark is looked for anywhere in a line.
 */
final class ChildLines {
  private static final String MARK = "@doctor ";
  private static final String STEP = "step ";
  private static final String ATTEMPT = "attempt ";
  private static final String END = "end ";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ChildLines() {}

  /** One of them. */
  sealed interface Line {}

  /** About to do something. */
  record Step(String what) implements Line {}

  /** About to move a block. */
  record Moving(Attempt attempt) implements Line {}

  /** Done. */
  record End(ProbeFinding finding) implements Line {}

  static String step(String what) {
    return MARK + STEP + json(what);
  }

  static String attempt(Attempt attempt) {
    return MARK + ATTEMPT + json(attempt);
  }

  static String end(ProbeFinding finding) {
    return MARK + END + json(finding);
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("records of numbers and text are JSON", e);
    }
  }

  /** What a line says, or null if it is somebody else's or broken off. */
  static @Nullable Line parse(String text) {
    int mark = text.indexOf(MARK);
    if (mark < 0) {
      return null;
    }
    String line = text.substring(mark + MARK.length());
    try {
      if (line.startsWith(STEP)) {
        return new Step(JSON.readValue(line.substring(STEP.length()), String.class));
      }
      if (line.startsWith(ATTEMPT)) {
        return new Moving(JSON.readValue(line.substring(ATTEMPT.length()), Attempt.class));
      }
      if (line.startsWith(END)) {
        return new End(JSON.readValue(line.substring(END.length()), ProbeFinding.class));
      }
      return null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }
}
