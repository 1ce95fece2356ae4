package org.allreducelab.backends;

import org.allreducelab.backends.lowering.Program;

/**
 * A schedule recorded on a group.
 *
 * @implSpec Neither {@link #enqueue()} nor {@link Group#await()} allocates in the steady state.
 */
public interface Collective extends AutoCloseable {

  /** What was lowered: kernels, waits and slots. */
  Program program();

  /**
   * Starts one invocation on all ranks and returns without waiting for it; blocks only when too
   * many are in flight. Invocations of one group execute in the order of their enqueueing.
   *
   * @throws DeadlineException if room for it does not come within the group's deadline
   * @throws BackendException if the group failed or is closed, or staging memory cannot be had
   */
  void enqueue();

  /** Waits for everything enqueued on the group: {@link Group#await()}. */
  void await();

  /** Of the last invocation that {@link #await()} completed. */
  Timings timings();

  /** Frees the recording; waits for its invocations in flight. Idempotent. */
  @Override
  void close();
}
