package org.allreducelab.harness.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.allreducelab.harness.bench.Suite.Setting;
import org.allreducelab.harness.cli.UsageException;

/**
 * Reads suite files: lines {@code key = value}, {@code #} starts a comment line. The keys are the
 * names of the shared command-line options, and the four below.
 */
final class SuiteFile {
  private static final String DESCRIPTION = "description";
  private static final String FORKS = "forks";
  private static final String WARMUP = "warmup";
  private static final String MEASUREMENT = "measurement";

  private static final Set<String> OWN_KEYS = Set.of(DESCRIPTION, FORKS, WARMUP, MEASUREMENT);

  /** The options a suite may set: those that choose cases, in the order users are told them. */
  static final List<String> OPTION_KEYS =
      List.of(
          "devices",
          "ranks",
          "algorithms",
          "bytes",
          "count",
          "precision",
          "placement",
          "transport",
          "sync",
          "memory",
          "barrier",
          "queue-family",
          "queues",
          "in-place",
          "granule",
          "deadline",
          "policy",
          "inflight",
          "graph",
          "baselines");

  private final String file;
  private final Map<String, Setting> settings = new LinkedHashMap<>();

  private SuiteFile(String file) {
    this.file = file;
  }

  /**
   * Reads one suite.
   *
   * @param name what the suite is called
   * @param file what messages call the file
   * @throws UsageException if the text is malformed; the message starts with {@code file:line}
   * @throws IOException if it cannot be read
   */
  static Suite read(String name, String file, Reader text) throws IOException {
    SuiteFile reader = new SuiteFile(file);
    reader.readLines(new BufferedReader(text));
    return reader.toSuite(name);
  }

  private void readLines(BufferedReader lines) throws IOException {
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      String content = line.strip();
      if (!content.isEmpty() && !content.startsWith("#")) {
        readSetting(content, file + ":" + number);
      }
    }
  }

  private void readSetting(String content, String place) {
    int equals = content.indexOf('=');
    if (equals < 0) {
      throw new UsageException(place + ": expected 'key = value', not '" + content + "'");
    }
    String key = content.substring(0, equals).strip();
    String value = content.substring(equals + 1).strip();
    if (!OWN_KEYS.contains(key) && !OPTION_KEYS.contains(key)) {
      throw new UsageException(
          place
              + ": unknown key '"
              + key
              + "'; known: description, forks, warmup, measurement, "
              + String.join(", ", OPTION_KEYS));
    }
    if (value.isEmpty()) {
      throw new UsageException(place + ": '" + key + "' has no value");
    }
    Setting before = settings.putIfAbsent(key, new Setting(value, place));
    if (before != null) {
      throw new UsageException(place + ": '" + key + "' is already set at " + before.place());
    }
  }

  private Suite toSuite(String name) {
    ForkSettings forks =
        new ForkSettings(
            required(FORKS, SuiteFile::forks),
            required(WARMUP, Iterations::parse),
            required(MEASUREMENT, SuiteFile::measurement));
    String description = required(DESCRIPTION, text -> text);
    Map<String, Setting> options = new LinkedHashMap<>(settings);
    options.keySet().removeAll(OWN_KEYS);
    return new Suite(name, description, forks, options);
  }

  private <T> T required(String key, Function<String, T> parse) {
    Setting setting = settings.get(key);
    if (setting == null) {
      throw new UsageException(file + ": '" + key + "' is missing");
    }
    try {
      return parse.apply(setting.value());
    } catch (IllegalArgumentException e) {
      throw new UsageException(setting.place() + ": " + key + ": " + e.getMessage());
    }
  }

  private static int forks(String text) {
    if (!text.matches("[1-9]\\d{0,3}")) {
      throw new IllegalArgumentException("'" + text + "' is no number from 1 to 9999");
    }
    return Integer.parseInt(text);
  }

  private static Iterations measurement(String text) {
    Iterations iterations = Iterations.parse(text);
    if (iterations.count() < 1) {
      throw new IllegalArgumentException("at least one iteration is needed");
    }
    return iterations;
  }
}
