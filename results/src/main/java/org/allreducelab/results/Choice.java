package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

/**
 * Something the lab chose, or was told, and why.
 *
 * @param value what was chosen, for instance {@code staged-host}
 * @param reason why, for instance {@code forced by --transport}
 */
public record Choice(String value, String reason) {
  public Choice {
    requireNonNull(value, "value");
    requireNonNull(reason, "reason");
  }
}
