package org.allreducelab.backends.vulkan;

import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingPool;
import org.allreducelab.backends.staging.StagingUse;
import org.jspecify.annotations.Nullable;

/** A program of a group, and its recording for the present staging memory. */
final class VulkanCollective implements Collective {
  private final VulkanGroup group;
  private final Program program;
  private @Nullable Recording recording;
  private @Nullable StagingUse use;
  private long submitNs = Timings.UNKNOWN;
  private long waitNs = Timings.UNKNOWN;
  private long deviceNs = Timings.UNKNOWN;
  private long kernelsNs = Timings.UNKNOWN;
  private boolean awaiting;
  private boolean closed;

  VulkanCollective(VulkanGroup group, Program program) {
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
    return new Timings(submitNs, waitNs, deviceNs, kernelsNs);
  }

  @Override
  public void close() {
    group.closeCollective(this);
  }

  boolean isClosed() {
    return closed;
  }

  /** The recording, if it refers to the staging memory that was picked for it now. */
  @Nullable Recording recordingFor(StagingPool staging) {
    StagingUse recorded = use;
    return recorded == null || !staging.stillUses(recorded) ? null : recording;
  }

  /** Whether it was recorded before: another recording is then a re-recording. */
  boolean wasRecorded() {
    return recording != null;
  }

  /** Replaces the recording; nothing of the old one may be in flight. */
  void record(Recording made, StagingUse recordedWith) {
    Recording old = recording;
    recording = made;
    use = recordedWith;
    if (old != null) {
      old.close();
    }
  }

  void submitted(long elapsedNs) {
    submitNs = elapsedNs;
    awaiting = true;
  }

  /** Everything enqueued is done. */
  void awaited(long elapsedNs) {
    if (awaiting) {
      awaiting = false;
      waitNs = elapsedNs;
      readTimestamps();
    }
  }

  private void readTimestamps() {
    Timestamps timestamps = recording == null ? null : recording.timestamps();
    if (timestamps == null) {
      return;
    }
    deviceNs = 0;
    kernelsNs = 0;
    for (DeviceSpan span : timestamps.read()) {
      deviceNs = Math.max(deviceNs, span.spanNs());
      kernelsNs = Math.max(kernelsNs, span.busiestRankNs());
    }
  }

  /** Frees the recording. */
  void free() {
    closed = true;
    if (recording != null) {
      recording.close();
      recording = null;
    }
  }
}
