package org.allreducelab.harness.verify;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.allreducelab.harness.cli.Sizes;

/** The element counts that verification runs when none are asked for. */
final class VerifySizes {
  private VerifySizes() {}

  /** One element, one per rank, odd, some, and more than any block of a kernel. */
  static Sizes standard() {
    return (ranks, precision) -> List.copyOf(new TreeSet<>(List.of(1, ranks, 9, 1000, 65543)));
  }

  /** Also nothing, granule ± 1, fewer than ranks, and both sides of a precision's threshold. */
  static Sizes full() {
    return (ranks, precision) -> {
      Set<Integer> counts = new TreeSet<>(List.of(0, 1, ranks - 1, ranks, 7, 8, 9, 1000, 65543));
      int threshold = precision.wideBelowCount();
      if (threshold > 0) {
        counts.addAll(List.of(threshold - 1, threshold, threshold + 1));
      }
      return List.copyOf(counts);
    };
  }
}
