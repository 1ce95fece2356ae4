package org.allreducelab.backends.device;

import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingUse;

/**
 * The devices of one group, as a {@link DeviceGroup} drives them.
 *
 * <p>A lane is what progresses by itself: a rank, or the only queue of all ranks. Its value counts
 * the steps that it has completed over the life of the group.
 *
 * @implSpec Neither {@link #submit} nor {@link #await} allocates in the steady state, beyond what a
 *     driver forces. Failures are {@link BackendException}s.
 * @param <R> what it makes of a program
 */
public interface DeviceEngine<R extends Recorded> extends AutoCloseable {

  /**
   * Number of lanes: the ranks', or 1. A rank's lane counts its submissions, the only lane of all
   * ranks the steps of the engine.
   */
  int lanes();

  /** Whether an invocation is one step of one lane. */
  boolean merges();

  /** Fills a rank's buffer from its start and waits for that; nothing is in flight. */
  void write(int rank, DataBuffer buffer, byte[] bytes);

  /** Reads a rank's buffer; nothing is in flight. */
  void read(int rank, DataBuffer buffer, long byteOffset, byte[] into);

  /** Allocates a staging buffer of a rank; it has none of that number. */
  void allocateSlots(int rank, int buffer, long bytes);

  /** Frees a staging buffer of a rank; nothing that uses it is in flight. */
  void freeSlots(int rank, int buffer);

  /** From now on slots lie in these buffers: what is recorded next refers to them. */
  void pick(StagingUse use);

  /** Records a program for the slot memory of the moment. */
  R record(Program program);

  /** Whether there is room for another invocation in flight. */
  boolean hasRoom(int invocations);

  /**
   * Starts an invocation.
   *
   * @param clock what earlier invocations still read
   * @param progress per lane, its value when everything submitted before is done
   */
  void submit(R recording, GroupClock clock, long[] progress);

  /**
   * Waits for all lanes.
   *
   * @param values per lane
   * @param timeoutNs at most; an engine may return earlier
   * @return false if a lane has not reached its value yet
   */
  boolean await(long[] values, long timeoutNs);

  /** The present value of a lane. */
  long value(int lane);

  /** Waits until drivers have let go of work that is done. */
  void drain();

  /**
   * Waits until copies that {@link #write} and {@link #read} began are over, after a failure too.
   *
   * @return false if the time passed before
   */
  boolean copiesEnd(long timeoutNs);

  /**
   * After a failure: lets those get on who wait for what will never come. To be repeated.
   *
   * @param values per lane, what it was to reach
   * @param timeoutNs how long to wait then
   * @return whether nothing executes any more, so that everything can be freed
   */
  boolean release(long[] values, long timeoutNs);

  /** Takes note of a failure of the group. */
  void failed(BackendException failure);

  /** Has the process close the group before the driver, should it end first. */
  void opened(Group group);

  /** The group is closed; nothing of it remains on the devices. */
  void closed(Group group);

  /** Frees everything but slot memory; nothing is in flight. */
  @Override
  void close();
}
