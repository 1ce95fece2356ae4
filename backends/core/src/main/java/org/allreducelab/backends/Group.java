package org.allreducelab.backends;

import java.util.List;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.staging.StagingStats;

/**
 * Ranks that reduce together, with a SEND and a RECV buffer each.
 *
 * <p>Use from one thread at a time. From {@link Collective#enqueue()} until the next {@link
 * #await()} returns, the buffers belong to the group: {@link #write} and {@link #read} then throw.
 *
 * @implSpec A failure is terminal: every later call but {@link #close()} throws {@link
 *     BackendException}. {@code close()} is idempotent, works with collectives in flight and after
 *     failures, closes what was prepared and frees everything. It waits for what is in flight for
 *     the group's deadline at most, and then for the teardown under a second deadline of its own.
 */
public interface Group extends AutoCloseable {

  /** Number of ranks of the group, in all processes. */
  int ranks();

  /** The ranks whose buffers this process holds, ascending. */
  List<Integer> localRanks();

  /** What the group runs with, and why. */
  Choices choices();

  /**
   * Copies bytes into the start of a rank's buffer.
   *
   * @throws IndexOutOfBoundsException if they are more than the capacity, or no local rank
   * @throws IllegalStateException if something is in flight
   */
  void write(int rank, DataBuffer buffer, byte[] bytes);

  /**
   * Copies bytes from a rank's buffer, from {@code byteOffset} on, filling {@code into}.
   *
   * @throws IndexOutOfBoundsException if they reach beyond the capacity, or no local rank
   * @throws IllegalStateException if something is in flight
   */
  void read(int rank, DataBuffer buffer, long byteOffset, byte[] into);

  /**
   * Lowers and records a schedule once, to be enqueued any number of times.
   *
   * @throws IllegalArgumentException if its ranks are not the group's, or its vector is larger than
   *     the capacity
   */
  default Collective prepare(Schedule schedule, Operands operands) {
    return prepare(schedule, operands, 1);
  }

  /**
   * Records several executions in a row as one, as a CUDA graph of them is.
   *
   * <ul>
   *   <li>Each does all that an invocation of its own would. Out of place all read the same SEND
   *       buffer, and publish it anew; in place each takes the result of the one before.
   *   <li>A rank's input counts as made when the rank has ended its previous execution: peers do
   *       not read it earlier.
   *   <li>Waits and submissions are left out that only a recording of them all shows to be
   *       needless. For that, up to twice the staging memory may be needed.
   * </ul>
   *
   * @param repetitions how many, ≥ 1
   * @throws IllegalArgumentException as for one, or if there are fewer
   */
  Collective prepare(Schedule schedule, Operands operands, int repetitions);

  /**
   * Waits until everything enqueued on this group has completed on all ranks.
   *
   * @throws DeadlineException if the group's deadline passes; names rank, operation and peer
   */
  void await();

  /**
   * Keeps every rank busy for a time, as an engine's own kernels do: it starts when everything
   * enqueued so far has completed on all ranks, and what is enqueued next starts when it is over.
   * Returns without waiting for it.
   *
   * @param durationNs how long, ≥ 0
   * @throws UnavailableException if the backend cannot do that
   */
  default void compute(long durationNs) {
    throw new UnavailableException(
        "this backend cannot keep its ranks busy between all-reduces without the host");
  }

  /** Staging memory kept now, and what keeping it cost so far. */
  StagingStats staging();

  @Override
  void close();
}
