package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.LiveObjects;
import org.jspecify.annotations.Nullable;

/**
 * A host thread that watches one rank's timeline and signals its mirrors on the peers' devices.
 * Allocates nothing per signal.
 */
final class Proxy implements AutoCloseable {
  private static final String KIND = "vulkan proxy";

  /**
   * How long one blocking wait lasts at most, so that a stop is noticed; closing wakes it anyway.
   */
  private static final long CHUNK_NS = 100_000_000;

  private final Timeline source;
  private final Watch watch;
  private final Timeline[] mirrors;
  private final int spins;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable RuntimeException failure;

  /**
   * @param source the rank's timeline
   * @param mirrors its mirrors, one per peer
   * @param spins how often the value is polled before a blocking wait
   */
  Proxy(int rank, Timeline source, List<Timeline> mirrors, int spins) {
    this.source = source;
    this.mirrors = mirrors.toArray(Timeline[]::new);
    this.spins = spins;
    watch = new Watch(source);
    thread = new Thread(this::run, "vulkan-proxy-" + rank);
    thread.setDaemon(true);
    LiveObjects.opened(KIND);
    thread.start();
  }

  private void run() {
    try {
      long passedOn = 0;
      while (!stopped) {
        long value = next(passedOn);
        if (value > passedOn && !stopped) {
          for (Timeline mirror : mirrors) {
            mirror.signal(value);
          }
          passedOn = value;
        }
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private long next(long after) {
    for (int i = 0; i < spins; i++) {
      long value = watch.value(0);
      if (value > after) {
        return value;
      }
      Thread.onSpinWait();
    }
    return watch.await(after + 1, CHUNK_NS) ? watch.value(0) : after;
  }

  /** What ended it, or null. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  /** Tells the thread to end. Nothing may be in flight on the source's timeline. */
  @Override
  public void close() {
    if (stopped) {
      return;
    }
    stopped = true;
    try {
      if (failure == null) {
        source.signal(watchedValue() + 1);
      }
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      watch.close();
      LiveObjects.closed(KIND);
    }
  }

  private long watchedValue() {
    try (Watch own = new Watch(source)) {
      return own.value(0);
    }
  }
}
