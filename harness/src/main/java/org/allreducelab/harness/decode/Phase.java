package org.allreducelab.harness.decode;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.allreducelab.harness.cli.UsageException;

/** What a step of a trace is part of. */
public enum Phase {
  /** Tokens made one at a time. */
  DECODE("decode"),
  /** The prompt, or a part of it. */
  PREFILL("prefill"),
  /** The small model of speculative decoding at work: one token. */
  DRAFT("draft"),
  /** The large model checks what was drafted: some tokens at once. */
  VERIFY("verify");

  private final String label;

  Phase(String label) {
    this.label = label;
  }

  /** Its name in traces and tables. */
  public String label() {
    return label;
  }

  static Phase named(String label) {
    for (Phase phase : values()) {
      if (phase.label.equals(label)) {
        return phase;
      }
    }
    throw new UsageException(
        "unknown phase '"
            + label
            + "'; known: "
            + Arrays.stream(values()).map(Phase::label).collect(Collectors.joining(", ")));
  }
}
