package org.allreducelab.backends.staging;

/**
 * As {@link Shrink}, but only when many requests in a row were small: hysteresis.
 *
 * <ul>
 *   <li>Rule: grow at once. Shrink to the largest of the last {@code patience} requests when the
 *       capacity was more than 4 times each of them.
 *   <li>Worst case: sizes that change by more than 4 times every {@code patience} calls or so: two
 *       changes per period. A decoded token is 2 · layers calls of one size, so the patience must
 *       be above that for sizes that alternate from token to token; the default of 256 is.
 *   <li>Memory bound: the largest request so far for {@code patience} calls, then 4 · the largest
 *       of the last {@code patience} requests.
 * </ul>
 */
public final class ShrinkAfter implements StagingPolicy {
  static final long DEFAULT_PATIENCE = 256;

  private final long patience;

  /** With a patience of 256 calls. */
  public ShrinkAfter() {
    this(DEFAULT_PATIENCE);
  }

  /**
   * @param patience small requests in a row before the buffer shrinks, ≥ 1
   */
  public ShrinkAfter(long patience) {
    this.patience = PolicyText.requireAtLeast("shrink-after", "number of requests", patience, 1);
  }

  @Override
  public String name() {
    return patience == DEFAULT_PATIENCE ? "shrink-after" : "shrink-after:" + patience;
  }

  @Override
  public StagingRule newRule() {
    return new Rule();
  }

  private final class Rule implements OneBuffer {
    private long small;
    private long largestSmall;

    @Override
    public long capacity(long request, long present) {
      if (!Shrink.exceeds(present, Shrink.DEFAULT_FACTOR, request)) {
        small = 0;
        largestSmall = 0;
        return Math.max(request, present);
      }
      largestSmall = Math.max(largestSmall, request);
      if (++small < patience) {
        return present;
      }
      long needed = largestSmall;
      small = 0;
      largestSmall = 0;
      return needed;
    }
  }
}
