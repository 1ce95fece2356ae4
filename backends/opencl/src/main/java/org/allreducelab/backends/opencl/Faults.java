package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_COMPLETE;
import static org.lwjgl.opencl.CL10.clRetainEvent;
import static org.lwjgl.opencl.CL11.clCreateUserEvent;
import static org.lwjgl.opencl.CL11.clSetUserEventStatus;

import java.nio.IntBuffer;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.opencl.Recording.Step;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * Leaves out the submissions of a stalled rank, and flips a bit of slot memory, as a test asks. Who
 * waits for a rank that stopped waits for an event that {@link #release} completes.
 */
final class Faults {
  private final FaultPlan plan;
  private final DeviceContext context;
  private final ContextMemory memory;
  private final boolean shared;
  private long standIn;
  private boolean released;

  /**
   * @param shared whether all ranks share a queue, which stops with the stalled rank
   */
  Faults(FaultPlan plan, DeviceContext context, ContextMemory memory, boolean shared) {
    this.plan = plan;
    this.context = context;
    this.memory = memory;
    this.shared = shared;
  }

  private static long index(Step step, GroupClock clock) {
    return clock.base(step.rank()) + step.value() - 1;
  }

  boolean leavesOut(Step step, GroupClock clock) {
    FaultPlan.Stall stall = plan.stall();
    if (stall == null) {
      return false;
    }
    boolean stops = stall.rank() == step.rank() && index(step, clock) >= stall.submission();
    return stops || (shared && standIn != 0);
  }

  /** The event of a submission that is left out; the caller's to release. */
  long standIn() {
    if (standIn == 0) {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        IntBuffer code = stack.mallocInt(1);
        standIn =
            context.check(clCreateUserEvent(context.handle(), code), code, "clCreateUserEvent");
      }
    } else {
      context.check(clRetainEvent(standIn), "clRetainEvent");
    }
    return standIn;
  }

  /** Completes what was left out. */
  void release() {
    if (standIn != 0 && !released) {
      released = true;
      context.check(clSetUserEventStatus(standIn, CL_COMPLETE), "clSetUserEventStatus");
    }
  }

  boolean flipsAfter(Step step, GroupClock clock) {
    FaultPlan.BitFlip flip = plan.bitFlip();
    DeviceBuffer slots = flip == null ? null : memory.slots(flip.rank());
    return flip != null
        && slots != null
        && flip.rank() == step.rank()
        && flip.submission() == index(step, clock)
        && flip.byteOffset() < slots.bytes();
  }

  /**
   * Flips the bit after what the queue holds.
   *
   * @param event where the event goes
   */
  void flip(CommandQueue queue, long event) {
    FaultPlan.BitFlip flip = plan.bitFlip();
    DeviceBuffer slots = flip == null ? null : memory.slots(flip.rank());
    if (flip == null || slots == null) {
      return;
    }
    long one = MemoryUtil.nmemAllocChecked(1);
    try {
      queue.toHost(slots.handle(), flip.byteOffset(), 1, one);
      queue.finish();
      MemoryUtil.memPutByte(one, (byte) (MemoryUtil.memGetByte(one) ^ 1 << flip.bit()));
      queue.fromHost(slots.handle(), flip.byteOffset(), 1, one, event);
      queue.finish();
    } finally {
      MemoryUtil.nmemFree(one);
    }
  }
}
