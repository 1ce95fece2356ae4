package org.allreducelab.backends.cpu;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether a group's workers go on, and what stopped them. Seen by all threads. */
final class RunState {
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;

  boolean stopped() {
    return stopped;
  }

  /** Workers end at their next wait. */
  void stop() {
    stopped = true;
  }

  /** Stops for that reason, unless there already is one. */
  void fail(Throwable reason) {
    failure.compareAndSet(null, reason);
    stopped = true;
  }

  @Nullable Throwable failure() {
    return failure.get();
  }
}
