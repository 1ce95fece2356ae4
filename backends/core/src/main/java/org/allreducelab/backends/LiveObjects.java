package org.allreducelab.backends;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts objects that must be closed, by kind, so that tests can show that nothing leaks: zero
 * after every test.
 */
public final class LiveObjects {
  private static final ConcurrentHashMap<String, AtomicLong> COUNTS = new ConcurrentHashMap<>();

  private LiveObjects() {}

  public static void opened(String kind) {
    COUNTS.computeIfAbsent(kind, k -> new AtomicLong()).incrementAndGet();
  }

  public static void closed(String kind) {
    COUNTS.computeIfAbsent(kind, k -> new AtomicLong()).decrementAndGet();
  }

  /** The kinds whose count is not zero. Empty when everything was closed. */
  public static Map<String, Long> snapshot() {
    Map<String, Long> live = new TreeMap<>();
    COUNTS.forEach(
        (kind, count) -> {
          if (count.get() != 0) {
            live.put(kind, count.get());
          }
        });
    return live;
  }
}
