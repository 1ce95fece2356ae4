package org.allreducelab.backends.staging;

/**
 * Grows to the largest request and never shrinks.
 *
 * <ul>
 *   <li>Rule: capacity = max(capacity, request).
 *   <li>Worst case: sizes that rise step by step; one change per new peak.
 *   <li>Memory bound: the largest request so far, which stays resident for ever. On drivers whose
 *       signals cost in proportion to resident memory, one prefill makes all later decoding slow.
 * </ul>
 */
public final class GrowOnly implements StagingPolicy {
  @Override
  public String name() {
    return "grow-only";
  }

  @Override
  public StagingRule newRule() {
    OneBuffer rule = Math::max;
    return rule;
  }
}
