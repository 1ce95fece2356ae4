package org.allreducelab.results.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.allreducelab.results.ForkId;
import org.allreducelab.results.store.RunFolderException.Kind;

/**
 * {@code jmh.json}: the report JMH would have written, had it run all forks of each case in one go.
 *
 * <p>Immutable. Each entry keeps its text, so that adding a fork costs the statistics of one case
 * only.
 */
final class JmhReport {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final ObjectWriter WRITER = MAPPER.writerWithDefaultPrettyPrinter();

  /** By case id, in the order of their first forks. */
  private final Map<String, Part> parts;

  private JmhReport(Map<String, Part> parts) {
    this.parts = parts;
  }

  static JmhReport empty() {
    return new JmhReport(Map.of());
  }

  /**
   * Reads the report of a run, cut back to the forks that the run records as measured.
   *
   * @throws RunFolderException if the file is damaged or lacks one of these forks
   */
  static JmhReport read(Path file, Set<ForkId> recorded) {
    Map<String, Set<Integer>> missing = new TreeMap<>();
    recorded.forEach(
        fork -> missing.computeIfAbsent(fork.caseId(), id -> new TreeSet<>()).add(fork.index()));
    Map<String, Part> parts = new LinkedHashMap<>();
    for (JsonNode json : tree(file)) {
      JmhEntry entry = parse(file, json);
      Set<Integer> wanted = missing.remove(entry.caseId());
      if (wanted == null) {
        continue;
      }
      if (!new HashSet<>(entry.forks()).containsAll(wanted)) {
        throw lacks(file, entry.caseId(), wanted);
      }
      parts.put(entry.caseId(), Part.of(entry.only(wanted)));
    }
    missing.forEach(
        (id, forks) -> {
          throw lacks(file, id, forks);
        });
    return new JmhReport(parts);
  }

  /**
   * The report with one more fork.
   *
   * @param json what JMH wrote for it: an array of one entry
   * @throws IllegalArgumentException if the text is something else, or its benchmark belongs to
   *     another case
   */
  JmhReport plus(ForkId fork, String json) {
    JmhEntry added;
    try {
      added = JmhEntry.ofFork(fork.caseId(), fork.index(), MAPPER.readTree(json).path(0));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JMH's JSON: " + e.getOriginalMessage(), e);
    }
    for (Part part : parts.values()) {
      JmhEntry other = part.entry();
      if (!other.caseId().equals(fork.caseId()) && other.key().equals(added.key())) {
        throw new IllegalArgumentException(
            "cases "
                + other.caseId()
                + " and "
                + fork.caseId()
                + " have the same JMH benchmark, mode and parameters: "
                + added.key());
      }
    }
    Part before = parts.get(fork.caseId());
    Map<String, Part> all = new LinkedHashMap<>(parts);
    all.put(fork.caseId(), Part.of(before == null ? added : before.entry().plus(added)));
    return new JmhReport(all);
  }

  byte[] toBytes() {
    return parts.values().stream()
        .map(Part::text)
        .collect(Collectors.joining(", ", "[ ", " ]\n"))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** An entry and its text. */
  private record Part(JmhEntry entry, String text) {
    static Part of(JmhEntry entry) {
      try {
        return new Part(entry, WRITER.writeValueAsString(entry.toJson()));
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException(e); // a tree in memory can always be written
      }
    }
  }

  private static JsonNode tree(Path file) {
    try {
      JsonNode tree = MAPPER.readTree(Files.readAllBytes(file));
      if (!tree.isArray()) {
        throw new RunFolderException(Kind.DAMAGED, file, "line 1: not an array of JMH results");
      }
      return tree;
    } catch (NoSuchFileException e) {
      throw new RunFolderException(Kind.DAMAGED, file, "no such file beside run.json", e);
    } catch (JsonProcessingException e) {
      throw JsonTrouble.damaged(file, "a list of JMH results", e);
    } catch (IOException e) {
      throw new RunFolderException(Kind.UNREADABLE, file, "cannot be read: " + e.getMessage(), e);
    }
  }

  private static JmhEntry parse(Path file, JsonNode json) {
    try {
      return JmhEntry.read(json);
    } catch (IllegalArgumentException e) {
      throw new RunFolderException(Kind.DAMAGED, file, String.valueOf(e.getMessage()), e);
    }
  }

  private static RunFolderException lacks(Path file, String caseId, Set<Integer> forks) {
    return new RunFolderException(
        Kind.DAMAGED,
        file,
        "case " + caseId + " lacks some of the forks " + forks + " that run.json records");
  }
}
