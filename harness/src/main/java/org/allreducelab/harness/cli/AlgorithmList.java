package org.allreducelab.harness.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;

/**
 * Algorithms as users type them: names, {@code name:key=value}, or {@code all}. A comma separates
 * algorithms and also parameters of one: an item {@code key=value} without a colon belongs to the
 * algorithm before it, as in {@code ring,recursive-doubling:distance=asc,fold=adjacent}.
 *
 * @param values in the order typed, each canonical name once
 */
public record AlgorithmList(List<Algorithm> values) {
  public AlgorithmList {
    values = List.copyOf(values);
  }

  /** All algorithms with their default parameters. */
  public static AlgorithmList all() {
    return new AlgorithmList(Algorithms.all());
  }

  /**
   * Reads a list.
   *
   * @throws UsageException if a name or parameter is unknown; the message lists the known ones
   */
  public static AlgorithmList parse(String text) {
    Map<String, Algorithm> algorithms = new LinkedHashMap<>();
    for (String item : items(text)) {
      if (item.equals("all")) {
        Algorithms.all().forEach(a -> algorithms.putIfAbsent(a.name(), a));
      } else {
        Algorithm algorithm = named(item);
        algorithms.putIfAbsent(algorithm.name(), algorithm);
      }
    }
    return new AlgorithmList(new ArrayList<>(algorithms.values()));
  }

  static List<String> items(String text) {
    List<String> items = new ArrayList<>();
    for (String raw : text.split(",", -1)) {
      String item = raw.strip();
      boolean parameter = item.contains("=") && !item.contains(":");
      if (parameter && items.isEmpty()) {
        throw new UsageException(
            "parameter '"
                + item
                + "' has no algorithm before it; expected name:key=value,key=value");
      }
      if (parameter) {
        int last = items.size() - 1;
        String owner = items.get(last);
        items.set(last, owner + (owner.contains(":") ? "," : ":") + item);
      } else {
        items.add(item);
      }
    }
    return items;
  }

  /** One algorithm by name. */
  static Algorithm named(String name) {
    try {
      return Algorithms.named(name);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
