package org.allreducelab.backends.cpu;

import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingPool;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/** A program of a group, and its recording for the present staging memory. */
final class CpuCollective implements Collective {
  private final CpuGroup group;
  private final Program program;
  private @Nullable Recording recording;
  private @Nullable StagingUse use;
  private boolean closed;

  CpuCollective(CpuGroup group, Program program) {
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

  /** Unknown: two clock readings would be a twentieth of a small all-reduce. */
  @Override
  public Timings timings() {
    return Timings.NONE;
  }

  @Override
  public void close() {
    if (!closed) {
      group.closing(this);
    }
  }

  boolean closed() {
    return closed;
  }

  /** The recording, if it refers to the staging memory that was picked for it now. */
  @Nullable Recording recordingFor(StagingPool staging) {
    StagingUse recorded = use;
    return recorded == null || !staging.stillUses(recorded) ? null : recording;
  }

  /** Whether it was ever recorded: the next time is a re-recording. */
  boolean recorded() {
    return recording != null;
  }

  void record(Recording made, StagingUse recordedWith) {
    recording = made;
    use = recordedWith;
  }

  void markClosed() {
    closed = true;
    recording = null;
  }
}
