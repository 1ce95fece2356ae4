package org.allreducelab.results.store;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.jspecify.annotations.Nullable;

/** What is wrong with a JSON file, in words: the parser's own speak of its classes and tokens. */
final class JsonTrouble {
  private static final Pattern TWICE = Pattern.compile("Duplicate field '([^']*)'.*");

  private JsonTrouble() {}

  /**
   * The error for a file, {@code <file>:<line>: …}, with the parser's as its cause.
   *
   * @param what what the file should be, for instance {@code a run record}
   */
  static RunFolderException damaged(Path file, String what, JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    String place = at == null ? file.toString() : file + ":" + at.getLineNr();
    String message = "not " + what + " (cut short, or edited by hand): " + reason(e);
    return new RunFolderException(Kind.DAMAGED, Path.of(place), message, e);
  }

  private static String reason(JsonProcessingException e) {
    if (endsEarly(e)) {
      return "ends too early";
    }
    if (e instanceof JsonMappingException mapping) {
      String path = path(mapping);
      String detail = detail(mapping);
      return path.isEmpty() ? detail : path + ": " + detail;
    }
    Matcher twice = TWICE.matcher(firstLine(e.getOriginalMessage()));
    return twice.matches() ? "field '" + twice.group(1) + "' stands twice" : "no JSON";
  }

  /** The parser has a class for it, but does not always use it. */
  private static boolean endsEarly(JsonProcessingException e) {
    return e instanceof JsonEOFException
        || e.getCause() instanceof JsonEOFException
        || firstLine(e.getOriginalMessage()).startsWith("Unexpected end-of-input");
  }

  private static String detail(JsonMappingException e) {
    if (e instanceof ValueInstantiationException && e.getCause() != null) {
      return firstLine(e.getCause().getMessage()); // a record's own words
    }
    if (e instanceof InvalidFormatException format) {
      return "'" + format.getValue() + "'" + expected(format.getTargetType());
    }
    return "missing, or of the wrong kind";
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == Instant.class) {
      return ": expected a UTC time such as 2026-11-30T12:00:00Z";
    }
    if (type != null && type.isEnum()) {
      return ": expected one of "
          + Arrays.stream(type.getEnumConstants())
              .map(value -> RunJson.MAPPER.valueToTree(value).asText())
              .collect(Collectors.joining(", "));
    }
    return " is of the wrong kind";
  }

  /** For instance {@code cases[3].forks[0].status}. */
  private static String path(JsonMappingException e) {
    String path =
        e.getPath().stream()
            .map(r -> r.getFieldName() == null ? "[" + r.getIndex() + "]" : "." + r.getFieldName())
            .collect(Collectors.joining());
    return path.substring(path.startsWith(".") ? 1 : 0);
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "not valid" : text.lines().findFirst().orElse("not valid");
  }
}
