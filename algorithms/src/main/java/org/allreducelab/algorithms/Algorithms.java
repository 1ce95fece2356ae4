package org.allreducelab.algorithms;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * All algorithms by name. Names are lower case and exact; parameters follow a colon, for instance
 * {@code recursive-doubling:distance=asc,fold=adjacent}. To add an algorithm, write its class and
 * add one line here.
 */
public final class Algorithms {
  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("naive", p -> new Naive(), "linear"),
          new Entry("ring", p -> new Ring()),
          new Entry("bidirectional-ring", p -> new BidirectionalRing(), "bidi-ring"),
          new Entry("halving-doubling", Algorithms::halvingDoubling, "hd", "rabenseifner"),
          new Entry("recursive-doubling", Algorithms::recursiveDoubling, "rd"),
          new Entry(
              "one-shot", p -> new OneShot(p.take("pieces", 1, OneShot.MOST_PIECES)), "oneshot"),
          new Entry("two-shot", p -> new TwoShot(), "twoshot"),
          new Entry("binomial-tree", p -> new BinomialTree(), "binomial", "tree"),
          new Entry("double-binary-tree", p -> new DoubleBinaryTree(), "dbt", "double-tree"),
          new Entry("swing", p -> new Swing(), "swing-bandwidth"),
          new Entry("swing-latency", p -> new SwingLatency()),
          new Entry("circulant", p -> new Circulant(), "traff"));

  private Algorithms() {}

  /** Every algorithm with its default parameters, simplest first. */
  public static List<Algorithm> all() {
    return ENTRIES.stream().map(entry -> entry.create("")).toList();
  }

  /** The canonical names, in the order of {@link #all()}. */
  public static List<String> names() {
    return ENTRIES.stream().map(Entry::name).toList();
  }

  /** Other names that users may type, with the canonical name of each; sorted. */
  public static Map<String, String> aliases() {
    Map<String, String> aliases = new TreeMap<>();
    for (Entry entry : ENTRIES) {
      for (String alias : entry.aliases()) {
        aliases.put(alias, entry.name());
      }
    }
    return aliases;
  }

  /**
   * The algorithm that {@code text} names.
   *
   * @param text {@code name[:key=value[,key=value]]}; the name may be an alias
   * @throws IllegalArgumentException if there is no such algorithm, parameter or value; the message
   *     lists the known ones
   */
  public static Algorithm named(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    Entry entry =
        ENTRIES.stream()
            .filter(e -> e.answersTo(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "unknown algorithm '" + name + "'; known: " + String.join(", ", names())));
    if (colon == text.length() - 1) {
      throw new IllegalArgumentException(
          entry.name() + ": nothing follows the colon; write name:key=value or the name alone");
    }
    return entry.create(colon < 0 ? "" : text.substring(colon + 1));
  }

  private static Algorithm halvingDoubling(AlgorithmParameters parameters) {
    return new HalvingDoubling(
        parameters.take("distance", DistanceOrder.DESC), parameters.take("fold", FoldRule.HIGH));
  }

  private static Algorithm recursiveDoubling(AlgorithmParameters parameters) {
    return new RecursiveDoubling(
        parameters.take("distance", DistanceOrder.DESC), parameters.take("fold", FoldRule.HIGH));
  }

  private record Entry(
      String name, Function<AlgorithmParameters, Algorithm> factory, List<String> aliases) {

    Entry(String name, Function<AlgorithmParameters, Algorithm> factory, String... aliases) {
      this(name, factory, List.of(aliases));
    }

    boolean answersTo(String text) {
      return name.equals(text) || aliases.contains(text);
    }

    Algorithm create(String parameterText) {
      AlgorithmParameters parameters = new AlgorithmParameters(name, parameterText);
      Algorithm algorithm = factory.apply(parameters);
      parameters.requireNoneLeft();
      return algorithm;
    }
  }
}
