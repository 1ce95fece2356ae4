package org.allreducelab.harness.decode;

import java.util.Arrays;
import org.allreducelab.backends.staging.StagingPolicy;
import org.allreducelab.backends.staging.StagingRule;

/** A policy on paper: what one rank would keep for a series of requests. */
final class StagingReplay {
  private final StagingRule rule;
  private final long[] capacity;
  private long peakBytes;
  private long changes;

  StagingReplay(StagingPolicy policy) {
    rule = policy.newRule();
    capacity = new long[rule.buffers()];
  }

  /** Makes a request; what is resident is then what its invocation sees. */
  void request(long bytes) {
    long[] before = capacity.clone();
    rule.decide(bytes, capacity);
    for (int b = 0; b < before.length; b++) {
      changes += before[b] == capacity[b] ? 0 : 1;
    }
    peakBytes = Math.max(peakBytes, residentBytes());
  }

  /** Makes a request several times. */
  void request(long bytes, int times) {
    for (int i = 0; i < times; i++) {
      request(bytes);
    }
  }

  long residentBytes() {
    return Arrays.stream(capacity).sum();
  }

  long peakBytes() {
    return peakBytes;
  }

  /** Buffers that changed so far. */
  long changes() {
    return changes;
  }
}
