package org.allreducelab.harness.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.allreducelab.algorithms.Algorithm;

/** Where another algorithm becomes the fastest as vectors grow; to 1 % of the size. */
final class Crossovers {
  private static final int RESOLUTION = 100;

  private final Pricer pricer;
  private final List<Algorithm> algorithms;
  private final int ranks;

  Crossovers(Pricer pricer, List<Algorithm> algorithms, int ranks) {
    this.pricer = pricer;
    this.algorithms = algorithms;
    this.ranks = ranks;
  }

  /**
   * From some size on another algorithm is the fastest.
   *
   * @param count elements from which on
   * @param before the fastest below
   * @param after the fastest from there on
   */
  record Crossover(int count, Algorithm before, Algorithm after) {}

  /** The fastest algorithm for a vector; of equal ones the first. */
  Price fastest(int count) {
    return algorithms.stream()
        .map(a -> pricer.price(a, ranks, count))
        .min(Comparator.comparingDouble(Price::timeNs))
        .orElseThrow();
  }

  /**
   * All crossovers between the first and the last of these sizes that a search from one to the next
   * finds.
   *
   * @param counts ascending
   */
  List<Crossover> between(List<Integer> counts) {
    List<Crossover> found = new ArrayList<>();
    for (int i = 1; i < counts.size(); i++) {
      int low = counts.get(i - 1);
      Algorithm lowFastest = fastest(low).algorithm();
      Algorithm highFastest = fastest(counts.get(i)).algorithm();
      while (!same(lowFastest, highFastest)) {
        int change = firstChange(low, counts.get(i), lowFastest);
        Algorithm next = fastest(change).algorithm();
        found.add(new Crossover(change, lowFastest, next));
        low = change;
        lowFastest = next;
      }
    }
    return found;
  }

  /** A size at which it is no longer the fastest, with one just below at which it is. */
  private int firstChange(int low, int high, Algorithm lowFastest) {
    int from = low;
    int to = high;
    while (to - from > Math.max(1, from / RESOLUTION)) {
      int middle = from + (to - from) / 2;
      if (same(fastest(middle).algorithm(), lowFastest)) {
        from = middle;
      } else {
        to = middle;
      }
    }
    return to;
  }

  private static boolean same(Algorithm a, Algorithm b) {
    return a.name().equals(b.name());
  }
}
