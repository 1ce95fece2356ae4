package org.allreducelab.algorithms;

import java.util.Locale;
import java.util.StringJoiner;

/** Writes canonical names: the base name, then the parameters that are not at their default. */
final class AlgorithmName {
  private final String base;
  private final StringJoiner parameters = new StringJoiner(",");

  private AlgorithmName(String base) {
    this.base = base;
  }

  static AlgorithmName of(String base) {
    return new AlgorithmName(base);
  }

  <E extends Enum<E>> AlgorithmName with(String key, E value, E defaultValue) {
    if (value != defaultValue) {
      parameters.add(key + "=" + label(value));
    }
    return this;
  }

  AlgorithmName with(String key, int value, int defaultValue) {
    if (value != defaultValue) {
      parameters.add(key + "=" + value);
    }
    return this;
  }

  String canonical() {
    return parameters.length() == 0 ? base : base + ":" + parameters;
  }

  /** How a parameter value is written, for instance {@code asc}. */
  static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
