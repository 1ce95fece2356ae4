package org.allreducelab.harness.verify;

import java.util.Arrays;
import java.util.Set;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.jspecify.annotations.Nullable;

/**
 * Whether the bytes of a prefix stay while the vector grows. Given the results of one algorithm on
 * one group in ascending order of size, each is compared with the one before it.
 *
 * <p>Where it must hold: an element's sum then has the same tree whichever chunk it falls into.
 * Elsewhere a growing vector moves chunk borders, and with them the order of additions. Precisions
 * that change their wire at a size are not compared.
 */
final class SizeInvariance {
  private static final Set<String> ALWAYS =
      Set.of(
          "naive",
          "halving-doubling",
          "recursive-doubling",
          "one-shot",
          "two-shot",
          "binomial-tree",
          "swing-latency");

  private final boolean compared;
  private final ElementType type;
  private @Nullable RankVectors shorter;
  private long elements;
  private long changed;
  private String firstChange = "";

  SizeInvariance(Precision precision) {
    this.compared = precision.wideBelowCount() == 0;
    this.type = precision.element();
  }

  /** Whether an algorithm's bytes must not depend on the size at this number of ranks. */
  static boolean mustHold(String algorithm, int ranks) {
    String name =
        algorithm.contains(":") ? algorithm.substring(0, algorithm.indexOf(':')) : algorithm;
    boolean powerOfTwo = Integer.bitCount(ranks) == 1;
    return ranks <= 2
        || ALWAYS.contains(name)
        || (name.equals("circulant") && powerOfTwo)
        || (name.equals("swing") && ranks < 8);
  }

  /** Takes the results of the next larger size. */
  void next(RankVectors longer) {
    RankVectors before = shorter;
    shorter = longer;
    if (!compared || before == null) {
      return;
    }
    for (int i = 0; i < before.ranks().size(); i++) {
      compare(before.ranks().get(i), before.vectors().get(i), longer.vectors().get(i));
    }
  }

  private void compare(int rank, byte[] before, byte[] after) {
    int length = before.length;
    elements += length / type.bytes();
    if (Arrays.equals(before, 0, length, after, 0, length)) {
      return;
    }
    for (int e = 0; e < length / type.bytes(); e++) {
      if (type.get(before, e) != type.get(after, e)) {
        changed++;
        if (firstChange.isEmpty()) {
          firstChange =
              String.format(
                  "rank %d, element %d is %s in %d elements and %s in %d",
                  rank,
                  e,
                  Bits.hex(type, type.get(before, e)),
                  length / type.bytes(),
                  Bits.hex(type, type.get(after, e)),
                  after.length / type.bytes());
        }
      }
    }
  }

  /** Number of (rank, element) pairs that were compared. */
  long elements() {
    return elements;
  }

  /** How many of them changed. */
  long changed() {
    return changed;
  }

  /** The first change in words; empty if there was none. */
  String firstChange() {
    return firstChange;
  }
}
