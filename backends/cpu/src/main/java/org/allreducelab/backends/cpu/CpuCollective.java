package org.allreducelab.backends.cpu;

import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.lowering.Program;
import org.jspecify.annotations.Nullable;

/** A program of a group, and its recording for the present staging memory. */
final class CpuCollective implements Collective {
  private final CpuGroup group;
  private final Program program;
  private final boolean usesSlots;
  private @Nullable Recording recording;
  private int generation;
  private boolean closed;

  CpuCollective(CpuGroup group, Program program) {
    this.group = group;
    this.program = program;
    boolean slots = false;
    for (int rank = 0; rank < program.ranks(); rank++) {
      slots |= program.slotBytes(rank) > 0;
    }
    usesSlots = slots;
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

  /** The recording, if it refers to staging memory of that generation. */
  @Nullable Recording recordingOf(int presentGeneration) {
    return usesSlots && generation != presentGeneration ? null : recording;
  }

  /** Whether it was ever recorded: the next time is a re-recording. */
  boolean recorded() {
    return recording != null;
  }

  void record(Recording made, int presentGeneration) {
    recording = made;
    generation = presentGeneration;
  }

  void markClosed() {
    closed = true;
    recording = null;
  }
}
