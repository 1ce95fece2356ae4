package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The score that JMH reports for one fork.
 *
 * @param mode JMH's short name of the mode, for instance {@code avgt} or {@code sample}
 * @param value the score
 * @param error half the width of JMH's 99.9 % confidence interval; absent with fewer than three
 *     measurements
 * @param unit unit of both, for instance {@code us/op}
 */
public record Score(String mode, double value, @Nullable Double error, String unit) {
  public Score {
    requireNonNull(mode, "mode");
    requireNonNull(unit, "unit");
  }
}
