package org.allreducelab.harness.decode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.allreducelab.harness.cli.UsageException;

/**
 * The steps of a run's traces as its record has them. A run that goes on must go on with the same
 * steps: its options name trace files, and those may have been edited since.
 *
 * @param byName what {@link Trace#encode} gives, by the trace's name
 */
record RecordedSteps(Map<String, String> byName) {
  private static final String BETWEEN_TRACES = ";";
  private static final String AFTER_NAME = ":";

  static RecordedSteps of(List<Trace> traces) {
    Map<String, String> byName = new LinkedHashMap<>();
    traces.forEach(trace -> byName.put(trace.name(), trace.encode()));
    return new RecordedSteps(byName);
  }

  /**
   * What {@link #text} gave.
   *
   * @throws UsageException if it is damaged
   */
  static RecordedSteps parse(String text) {
    Map<String, String> byName = new LinkedHashMap<>();
    for (String trace : text.split(BETWEEN_TRACES, -1)) {
      String[] parts = trace.split(AFTER_NAME, -1);
      if (parts.length != 2) {
        throw new UsageException(
            "run.json: trace-steps must be NAME:STEPS, one after the other, not '" + trace + "'");
      }
      byName.put(parts[0], parts[1]);
    }
    return new RecordedSteps(byName);
  }

  /** {@code single-turn:prefill-512-1_decode-1-64;mine:decode-1-8}. */
  String text() {
    return byName.entrySet().stream()
        .map(trace -> trace.getKey() + AFTER_NAME + trace.getValue())
        .collect(Collectors.joining(BETWEEN_TRACES));
  }

  /**
   * Compares with what the run's options say now.
   *
   * @throws UsageException if a trace has other steps
   */
  void requireSame(List<Trace> traces) {
    for (Trace trace : traces) {
      String recorded = byName.get(trace.name());
      if (!trace.encode().equals(recorded)) {
        throw new UsageException(
            "trace "
                + trace.name()
                + " has other steps now than when this run was started; restore its file, or start"
                + " a new run");
      }
    }
  }
}
