package org.allreducelab.backends.device;

/** A program in a driver's own form, for the staging memory of the moment. */
public interface Recorded extends AutoCloseable {
  /** How far an invocation moves a lane on. */
  int steps(int lane);

  /** Frees it; nothing of it may be in flight. Idempotent. */
  @Override
  void close();
}
