package org.allreducelab.backends.staging;

/**
 * A buffer for every power of two that was ever needed.
 *
 * <ul>
 *   <li>Rule: use the smallest class of 4 KiB, 8 KiB, 16 KiB … that holds the request; allocate it
 *       when it is first needed, and never free it.
 *   <li>Worst case: one request of each class, so one allocation per class in all, and none after.
 *   <li>Memory bound: all classes up to the largest request, less than 4 times that. Nothing is
 *       given back: where resident memory is what costs, this is as slow as {@link GrowOnly}.
 * </ul>
 */
public final class SizeClasses implements StagingPolicy {
  private static final int SMALLEST_LOG2 = 12;
  private static final int LARGEST_LOG2 = 62;

  @Override
  public String name() {
    return "size-classes";
  }

  @Override
  public StagingRule newRule() {
    return new Rule();
  }

  private static final class Rule implements StagingRule {
    @Override
    public int buffers() {
      return LARGEST_LOG2 - SMALLEST_LOG2 + 1;
    }

    @Override
    public int decide(long request, long[] capacity) {
      if (request == 0) {
        return 0;
      }
      int log2 = Math.max(SMALLEST_LOG2, Long.SIZE - Long.numberOfLeadingZeros(request - 1));
      int buffer = log2 - SMALLEST_LOG2;
      capacity[buffer] = 1L << log2;
      return buffer;
    }
  }
}
