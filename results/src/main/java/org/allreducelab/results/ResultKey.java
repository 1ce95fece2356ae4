package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.allreducelab.algorithms.Algorithm;

/**
 * Everything that decides the bytes of a result: two runs with equal keys give equal bytes on every
 * device.
 *
 * @param algorithm canonical name with the parameters that differ from the default, which hold the
 *     distance order and the fold rule, for instance {@code recursive-doubling:distance=asc}
 * @param ranks number of ranks, ≥ 1
 * @param rankOrder which endpoint position serves each rank; empty for 0, 1, 2, …
 * @param count elements per rank, ≥ 0
 * @param granule chunk borders are multiples of this many elements, ≥ 1
 * @param sliceCount elements of one window where a large vector is reduced window by window; 0 for
 *     the whole vector at once
 * @param precision name of the precision, for instance {@code bf16-f32acc}
 * @param nanRule how NaN results are written: {@code canonical}
 * @param denormalRule what becomes of subnormals: {@code preserve} or {@code flush}
 */
public record ResultKey(
    String algorithm,
    int ranks,
    List<Integer> rankOrder,
    int count,
    int granule,
    int sliceCount,
    String precision,
    String nanRule,
    String denormalRule) {

  /** In the place of an algorithm's name: a copy on rank 0, the work of a bare dispatch. */
  public static final String BARE_COPY = "bare-copy";

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public ResultKey {
    requireNonNull(algorithm, "algorithm");
    requireNonNull(precision, "precision");
    requireNonNull(nanRule, "nanRule");
    requireNonNull(denormalRule, "denormalRule");
    rankOrder = List.copyOf(requireNonNull(rankOrder, "rankOrder"));
    if (ranks < 1 || count < 0 || granule < 1 || sliceCount < 0) {
      throw new IllegalArgumentException(
          "ranks and granule must be at least 1, count and sliceCount at least 0");
    }
    if (!rankOrder.isEmpty() && rankOrder.size() != ranks) {
      throw new IllegalArgumentException("rankOrder must name each of the " + ranks + " ranks");
    }
  }

  /**
   * The key with default granule, natural rank order, no slices, canonical NaN, subnormals kept.
   */
  public static ResultKey of(String algorithm, int ranks, int count, String precision) {
    return new ResultKey(
        algorithm,
        ranks,
        List.of(),
        count,
        Algorithm.DEFAULT_GRANULE,
        0,
        precision,
        "canonical",
        "preserve");
  }

  /** The same key for a vector that is reduced in windows of so many elements; 0 for none. */
  public ResultKey withSlice(int elements) {
    return new ResultKey(
        algorithm, ranks, rankOrder, count, granule, elements, precision, nanRule, denormalRule);
  }

  /** The same key with another granule. */
  public ResultKey withGranule(int elements) {
    return new ResultKey(
        algorithm, ranks, rankOrder, count, elements, sliceCount, precision, nanRule, denormalRule);
  }
}
