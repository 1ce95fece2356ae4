package org.allreducelab.backends.staging;

/**
 * A constant capacity. Messages that need more are reduced window by window.
 *
 * <ul>
 *   <li>Rule: capacity = the constant, from the first request on.
 *   <li>Worst case: large messages: a window costs as many waits as a whole small message.
 *   <li>Memory bound: the constant, whatever comes.
 * </ul>
 *
 * <p>Windows change the bytes of algorithms whose order of additions depends on the position in the
 * vector (ring, double-binary-tree, circulant …), so their length is part of a result's key.
 */
public final class Fixed implements StagingPolicy {
  static final long DEFAULT_CAPACITY = 1L << 20;

  private final long capacityBytes;

  /** With 1 MiB. */
  public Fixed() {
    this(DEFAULT_CAPACITY);
  }

  /**
   * @param capacityBytes what each rank keeps, ≥ 1
   */
  public Fixed(long capacityBytes) {
    this.capacityBytes = PolicyText.requireAtLeast("fixed", "capacity", capacityBytes, 1);
  }

  @Override
  public String name() {
    return capacityBytes == DEFAULT_CAPACITY ? "fixed" : "fixed:" + PolicyText.bytes(capacityBytes);
  }

  @Override
  public StagingRule newRule() {
    OneBuffer rule =
        (request, present) -> present == 0 && request == 0 ? 0 : Math.max(present, capacityBytes);
    return rule;
  }

  @Override
  public long largestRequestBytes() {
    return capacityBytes;
  }
}
