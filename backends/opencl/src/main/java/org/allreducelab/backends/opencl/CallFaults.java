package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.CL_DEVICE_NOT_AVAILABLE;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;

import org.allreducelab.backends.FaultPlan;
import org.jspecify.annotations.Nullable;

/** Decides which call of a group's contexts gives an error in place of being made. */
final class CallFaults {
  private final FaultPlan.Refusal refusal;
  private long calls;
  private @Nullable DeviceContext lost;

  private CallFaults(FaultPlan.Refusal refusal) {
    this.refusal = refusal;
  }

  /** Those of a plan, or null if it has none. */
  static @Nullable CallFaults of(FaultPlan plan) {
    FaultPlan.Refusal refusal = plan.refusal();
    return refusal == null ? null : new CallFaults(refusal);
  }

  /** The error that a call gives, or CL_SUCCESS if it is to be made. */
  synchronized int code(String call, DeviceContext context) {
    if (context.equals(lost) && needsTheDevice(call)) {
      return CL_DEVICE_NOT_AVAILABLE;
    }
    if (!refusal.call().equals(call) || calls++ != refusal.occurrence()) {
      return CL_SUCCESS;
    }
    if (refusal.code() == CL_DEVICE_NOT_AVAILABLE) {
      lost = context;
    }
    return refusal.code();
  }

  /** What a device that is gone refuses. Its objects can still be released. */
  private static boolean needsTheDevice(String call) {
    return call.startsWith("clEnqueue")
        || call.equals("clFlush")
        || call.equals("clFinish")
        || call.equals("clGetEventInfo");
  }
}
