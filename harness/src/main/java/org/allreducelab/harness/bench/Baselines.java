package org.allreducelab.harness.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The yardsticks of contenders on devices that are driven by submissions. On the CPU there is none:
 * nothing is submitted there.
 */
final class Baselines {
  /** Its kernels are the least work an all-reduce can be: every rank folds every other's input. */
  private static final String PREFERRED = "one-shot";

  private Baselines() {}

  /** What contenders share that have one yardstick; {@code inPlace} is false for bare ones. */
  private record Yard(
      List<String> devices, int ranks, String precision, int count, boolean inPlace) {
    static Yard of(BenchCase c, boolean inPlace) {
      return new Yard(c.devices(), c.ranks(), c.precision().name(), c.count(), inPlace);
    }
  }

  /** A bare copy for each size; an empty vector has none. */
  static List<BenchCase> bare(List<BenchCase> contenders) {
    Map<Yard, BenchCase> bare = new LinkedHashMap<>();
    for (BenchCase c : contenders) {
      if (c.count() > 0) {
        bare.putIfAbsent(Yard.of(c, false), c.asBare());
      }
    }
    return new ArrayList<>(bare.values());
  }

  /** One-shot, or the first algorithm there is, on a single queue for each size. */
  static List<BenchCase> singleQueue(List<BenchCase> contenders) {
    Map<Yard, BenchCase> chosen = new LinkedHashMap<>();
    for (BenchCase c : contenders) {
      Yard yard = Yard.of(c, c.inPlace());
      if (c.algorithm().equals(PREFERRED)) {
        chosen.put(yard, c);
      } else {
        chosen.putIfAbsent(yard, c);
      }
    }
    return chosen.values().stream().map(BenchCase::asSingleQueue).toList();
  }
}
