package org.allreducelab.backends.staging;

/**
 * One buffer for small requests and one for large ones, each of which only grows.
 *
 * <ul>
 *   <li>Rule: a request up to the threshold uses the small buffer, a larger one the large buffer;
 *       each has the largest request it has seen.
 *   <li>Worst case: as {@link GrowOnly}, for each buffer: one change per new peak.
 *   <li>Memory bound: the largest request plus the threshold. The large buffer stays: small
 *       requests no longer share its memory, but it is resident as long as the group.
 * </ul>
 */
public final class Split implements StagingPolicy {
  static final long DEFAULT_THRESHOLD = 1L << 20;

  private final long thresholdBytes;

  /** With a threshold of 1 MiB. */
  public Split() {
    this(DEFAULT_THRESHOLD);
  }

  /**
   * @param thresholdBytes the largest request that is small, ≥ 1
   */
  public Split(long thresholdBytes) {
    this.thresholdBytes = PolicyText.requireAtLeast("split", "threshold", thresholdBytes, 1);
  }

  @Override
  public String name() {
    return thresholdBytes == DEFAULT_THRESHOLD
        ? "split"
        : "split:" + PolicyText.bytes(thresholdBytes);
  }

  @Override
  public StagingRule newRule() {
    return new Rule();
  }

  private final class Rule implements StagingRule {
    @Override
    public int buffers() {
      return 2;
    }

    @Override
    public int decide(long request, long[] capacity) {
      int buffer = request <= thresholdBytes ? 0 : 1;
      capacity[buffer] = Math.max(capacity[buffer], request);
      return buffer;
    }
  }
}
