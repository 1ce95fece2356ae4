package org.allreducelab.backends.staging;

/**
 * Grows to the largest request and never shrinks.
 *
 * <p>Reallocates at most once per new peak. Memory bound: the largest request so far, which stays
 * resident for ever: on drivers whose signals cost in proportion to resident memory, one prefill
 * makes all later decoding slow.
 */
public final class GrowOnly implements StagingPolicy {
  @Override
  public String name() {
    return "grow-only";
  }

  @Override
  public long capacityBytes(long requestBytes, long presentBytes) {
    return Math.max(requestBytes, presentBytes);
  }
}
