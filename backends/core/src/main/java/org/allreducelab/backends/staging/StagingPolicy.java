package org.allreducelab.backends.staging;

/**
 * Decides how much staging memory a rank keeps.
 *
 * @implSpec Called before every enqueue, in order; may keep state; must not allocate.
 */
public interface StagingPolicy {
  /** The name users type, with parameters where they differ from the default. */
  String name();

  /**
   * The capacity to have for the next invocation.
   *
   * @param requestBytes slot bytes that its program needs on the rank, ≥ 0
   * @param presentBytes capacity the rank has now, ≥ 0
   * @return a capacity ≥ {@code requestBytes}; equal to {@code presentBytes} to keep what is there
   */
  long capacityBytes(long requestBytes, long presentBytes);
}
