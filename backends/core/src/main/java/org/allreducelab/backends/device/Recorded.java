package org.allreducelab.backends.device;

/** A program in a driver's own form, for the staging memory of the moment. */
public interface Recorded extends AutoCloseable {
  /** How far an invocation moves a lane on: see {@link DeviceEngine#lanes()}. */
  int steps(int lane);

  /** Times of the last invocation, which is done; unknown unless the group's spec asks for them. */
  DeviceTimes times();

  /** Frees it; nothing of it may be in flight. Idempotent. */
  @Override
  void close();
}
