package org.allreducelab.algorithms;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The {@code key=value} list after an algorithm's name. A factory takes the parameters it knows;
 * whatever is left then is an error that lists them.
 */
final class AlgorithmParameters {
  private final String algorithm;
  private final Map<String, String> unread = new TreeMap<>();
  private final List<String> known = new ArrayList<>();

  /**
   * @param algorithm for messages
   * @param text {@code key=value[,key=value]}, or empty for none
   * @throws IllegalArgumentException if the text has another form or gives a key twice
   */
  AlgorithmParameters(String algorithm, String text) {
    this.algorithm = algorithm;
    for (String pair : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1 || equals == pair.length() - 1) {
        throw new IllegalArgumentException(
            algorithm + ": '" + pair + "' is no parameter; write key=value[,key=value]");
      }
      String key = pair.substring(0, equals);
      if (unread.put(key, pair.substring(equals + 1)) != null) {
        throw new IllegalArgumentException(algorithm + ": parameter '" + key + "' is given twice");
      }
    }
  }

  /**
   * The value of a parameter, or the default when it is not given.
   *
   * @throws IllegalArgumentException if the value is none of the default's type; the message lists
   *     them
   */
  <E extends Enum<E>> E take(String key, E defaultValue) {
    E[] values = defaultValue.getDeclaringClass().getEnumConstants();
    String choices =
        Arrays.stream(values).map(AlgorithmName::label).collect(Collectors.joining("|"));
    known.add(key + "=" + choices);
    String given = unread.remove(key);
    if (given == null) {
      return defaultValue;
    }
    for (E value : values) {
      if (AlgorithmName.label(value).equals(given)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        algorithm + ": '" + given + "' is no " + key + "; known: " + key + "=" + choices);
  }

  /**
   * The value of a whole number from 1 on, or the default when it is not given.
   *
   * @throws IllegalArgumentException if the value is no number from 1 to {@code most}
   */
  int take(String key, int defaultValue, int most) {
    known.add(key + "=1.." + most);
    String given = unread.remove(key);
    if (given == null) {
      return defaultValue;
    }
    if (given.matches("[0-9]{1,9}")) {
      int value = Integer.parseInt(given);
      if (value >= 1 && value <= most) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        algorithm + ": " + key + " must be a number from 1 to " + most + ", not '" + given + "'");
  }

  /**
   * @throws IllegalArgumentException if a parameter was given that nobody took
   */
  void requireNoneLeft() {
    if (!unread.isEmpty()) {
      String names = unread.keySet().stream().collect(Collectors.joining("', '"));
      throw new IllegalArgumentException(
          algorithm
              + ": unknown parameter '"
              + names
              + "'; "
              + (known.isEmpty() ? "it takes none" : "known: " + String.join(", ", known)));
    }
  }
}
