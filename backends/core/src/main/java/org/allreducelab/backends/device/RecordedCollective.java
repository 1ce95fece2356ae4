package org.allreducelab.backends.device;

import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingPool;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/**
 * A program of a group, and its recording for the present staging memory.
 *
 * @param <R> what the group's backend makes of a program
 */
public final class RecordedCollective<R> implements Collective {
  private final Owner<R> group;
  private final Program program;
  private @Nullable R recording;
  private @Nullable StagingUse use;
  private long submitNs = Timings.UNKNOWN;
  private long waitNs = Timings.UNKNOWN;
  private DeviceTimes deviceTimes = DeviceTimes.UNKNOWN;
  private boolean awaiting;
  private boolean closed;

  /**
   * The group of collectives.
   *
   * @param <R> what its backend makes of a program
   */
  public interface Owner<R> {
    void enqueue(RecordedCollective<R> collective);

    void await();

    /** Waits for the collective's invocations in flight and {@linkplain #free frees} it. */
    void close(RecordedCollective<R> collective);
  }

  public RecordedCollective(Owner<R> group, Program program) {
    this.group = group;
    this.program = program;
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public void enqueue() {
    group.enqueue(this);
  }

  @Override
  public void await() {
    group.await();
  }

  @Override
  public Timings timings() {
    return new Timings(submitNs, waitNs, deviceTimes.deviceNs(), deviceTimes.kernelsNs());
  }

  @Override
  public void close() {
    group.close(this);
  }

  public boolean isClosed() {
    return closed;
  }

  /** The recording, if it refers to the staging memory that was picked for it now. */
  public @Nullable R recordingFor(StagingPool staging) {
    StagingUse recorded = use;
    return recorded == null || !staging.stillUses(recorded) ? null : recording;
  }

  /** Whether it was recorded before: another recording is then a re-recording. */
  public boolean wasRecorded() {
    return recording != null;
  }

  /** Replaces the recording; nothing of the old one may be in flight. Returns the old one. */
  public @Nullable R record(R made, StagingUse recordedWith) {
    R old = recording;
    recording = made;
    use = recordedWith;
    return old;
  }

  /** Notes how long submitting the last invocation took. */
  public void submitted(long elapsedNs) {
    submitNs = elapsedNs;
    awaiting = true;
  }

  /**
   * Everything enqueued is done; notes how long the wait for it took.
   *
   * @return what was executed, or null if nothing of this collective was waited for
   */
  public @Nullable R awaited(long elapsedNs) {
    if (!awaiting) {
      return null;
    }
    awaiting = false;
    waitNs = elapsedNs;
    return recording;
  }

  /** Notes what devices' clocks say of the last invocation. */
  public void timed(DeviceTimes times) {
    deviceTimes = times;
  }

  /** Marks it closed; returns its recording, which is the caller's to free. */
  public @Nullable R free() {
    R last = recording;
    recording = null;
    closed = true;
    return last;
  }
}
