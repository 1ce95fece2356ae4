package org.allreducelab.backends.staging;

/**
 * Follows the request down as soon as the capacity is more than some times as large.
 *
 * <ul>
 *   <li>Rule: keep while request ≤ capacity ≤ factor · request, else have exactly the request.
 *   <li>Worst case: sizes that alternate by more than the factor, as in speculative decoding: a
 *       change at every call that differs from the one before.
 *   <li>Memory bound: factor · the present request.
 * </ul>
 */
public final class Shrink implements StagingPolicy {
  static final long DEFAULT_FACTOR = 4;

  private final long factor;

  /** With a factor of 4. */
  public Shrink() {
    this(DEFAULT_FACTOR);
  }

  /**
   * @param factor how many times the request a capacity may be, ≥ 1
   */
  public Shrink(long factor) {
    this.factor = PolicyText.requireAtLeast("shrink", "factor", factor, 1);
  }

  @Override
  public String name() {
    return factor == DEFAULT_FACTOR ? "shrink" : "shrink:" + factor;
  }

  @Override
  public StagingRule newRule() {
    OneBuffer rule =
        (request, present) ->
            request <= present && !exceeds(present, factor, request) ? present : request;
    return rule;
  }

  /** Whether {@code capacity > factor · request}, for any values. */
  static boolean exceeds(long capacity, long factor, long request) {
    return request == 0 ? capacity > 0 : (capacity - 1) / request >= factor;
  }
}
