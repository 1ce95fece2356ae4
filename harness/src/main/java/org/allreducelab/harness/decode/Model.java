package org.allreducelab.harness.decode;

import java.util.List;
import java.util.stream.Collectors;
import org.allreducelab.harness.cli.UsageException;

/**
 * A transformer under tensor parallelism: what decides its all-reduces.
 *
 * @param name what users type
 * @param hidden width of a token's activation, in elements: an all-reduce has so many per token
 * @param layers layers, each with two all-reduces
 */
public record Model(String name, int hidden, int layers) {
  /** The presets, smallest first. */
  public static final List<Model> PRESETS =
      List.of(
          new Model("3b", 3072, 28),
          new Model("8b", 4096, 32),
          new Model("32b", 5120, 64),
          new Model("70b", 8192, 80));

  /**
   * The preset of that name.
   *
   * @throws UsageException if there is none
   */
  public static Model named(String name) {
    return PRESETS.stream()
        .filter(m -> m.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown model '"
                        + name
                        + "'; known: "
                        + PRESETS.stream().map(Model::name).collect(Collectors.joining(", "))));
  }

  /** All-reduces that a step of any number of tokens takes. */
  public int allReduces() {
    return 2 * layers;
  }

  /**
   * Elements of the all-reduces of a step.
   *
   * @throws UsageException if they are more than a vector can have
   */
  public int count(int tokens) {
    long count = (long) hidden * tokens;
    if (count > Integer.MAX_VALUE - 8L) {
      throw new UsageException(
          tokens + " tokens of model " + name + " are more elements than a vector can have");
    }
    return (int) count;
  }
}
