package org.allreducelab.backends.staging;

/** A policy at work for one rank: knows what it needs to know of earlier requests. */
public interface StagingRule {
  /** How many buffers the rank may have at the same time, ≥ 1. */
  int buffers();

  /**
   * Decides on the buffers for the next invocation and picks the one that it uses.
   *
   * @param requestBytes slot bytes that its program needs on the rank, ≥ 0
   * @param capacityBytes by buffer, what the rank has now, 0 for none; to be changed to what it
   *     shall have
   * @return the buffer to use, whose capacity is then ≥ {@code requestBytes}
   * @implSpec Called before every enqueue, in order. Must not allocate objects.
   */
  int decide(long requestBytes, long[] capacityBytes);
}
