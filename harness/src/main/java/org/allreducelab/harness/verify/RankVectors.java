package org.allreducelab.harness.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.numerics.ElementType;

/**
 * The vectors of the ranks that this process holds.
 *
 * @param ranks which ranks
 * @param vectors their vectors, in the same order
 */
record RankVectors(List<Integer> ranks, List<byte[]> vectors) {
  RankVectors {
    ranks = List.copyOf(ranks);
    vectors = List.copyOf(vectors);
  }

  /** Vectors of ranks 0, 1, …. */
  static RankVectors all(byte[][] vectors) {
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < vectors.length; rank++) {
      ranks.add(rank);
    }
    return new RankVectors(ranks, List.of(vectors));
  }

  /** Number of elements that any two of the ranks have different bits of. */
  long disagreements(ElementType type) {
    byte[] first = vectors.get(0);
    if (vectors.stream().allMatch(v -> Arrays.equals(v, first))) {
      return 0;
    }
    long differing = 0;
    for (int element = 0; element < first.length / type.bytes(); element++) {
      int bits = type.get(first, element);
      for (byte[] vector : vectors) {
        if (type.get(vector, element) != bits) {
          differing++;
          break;
        }
      }
    }
    return differing;
  }
}
