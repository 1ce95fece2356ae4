package org.allreducelab.results;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one fork (one fresh JVM) of one case gave.
 *
 * <p>Only a fork whose bytes were right has a score and a latency: a wrong answer cannot become a
 * good number.
 *
 * @param index fork number, counted from 0
 * @param status how the fork ended
 * @param failure what went wrong, one line; present unless the status is ok
 * @param start when the fork was started, UTC
 * @param elapsedMs wall time of the whole fork, JVM start and warm-up included
 * @param before verification before the timed part; absent if it was not reached, and for baselines
 * @param after verification after the timed part; likewise
 * @param score JMH's score; present exactly when the status is ok
 * @param latency percentiles over all samples; present exactly when the status is ok
 * @param allocatedBytesPerOp bytes allocated on the Java heap per all-reduce, if measured
 * @param parts where the time goes, if measured; only when the status is ok
 */
public record ForkRecord(
    int index,
    ForkStatus status,
    @Nullable String failure,
    Instant start,
    long elapsedMs,
    @Nullable Verification before,
    @Nullable Verification after,
    @Nullable Score score,
    @Nullable LatencySummary latency,
    @Nullable Double allocatedBytesPerOp,
    @Nullable TimeParts parts) {

  /**
   * @throws IllegalArgumentException if the parts contradict the status
   */
  public ForkRecord {
    requireNonNull(status, "status");
    requireNonNull(start, "start");
    boolean ok = status == ForkStatus.OK;
    if (index < 0 || elapsedMs < 0) {
      throw new IllegalArgumentException("index and elapsedMs must be at least 0");
    }
    if (ok != (failure == null)) {
      throw new IllegalArgumentException("a fork says what failed exactly when it is not ok");
    }
    if (ok != (score != null) || ok != (latency != null)) {
      throw new IllegalArgumentException("a fork has score and latency exactly when it is ok");
    }
    if (!ok && parts != null) {
      throw new IllegalArgumentException("a fork that is not ok has no parts of its time");
    }
    if (ok && (hasWrong(before) || hasWrong(after))) {
      throw new IllegalArgumentException("a fork with wrong elements is not ok");
    }
  }

  /**
   * A fork that was measured and whose bytes were right.
   *
   * @param before verification before the timed part; null for a baseline, which has no result
   * @param after verification after it; likewise
   * @throws IllegalArgumentException if a verification found wrong elements
   */
  public static ForkRecord ok(
      int index,
      Instant start,
      long elapsedMs,
      @Nullable Verification before,
      @Nullable Verification after,
      Measurement measurement) {
    return new ForkRecord(
        index,
        ForkStatus.OK,
        null,
        start,
        elapsedMs,
        before,
        after,
        measurement.score(),
        measurement.latency(),
        measurement.allocatedBytesPerOp(),
        null);
  }

  /** The same fork with the parts of its time, or without. */
  public ForkRecord withParts(@Nullable TimeParts measured) {
    return new ForkRecord(
        index,
        status,
        failure,
        start,
        elapsedMs,
        before,
        after,
        score,
        latency,
        allocatedBytesPerOp,
        measured);
  }

  /**
   * A fork that failed: an error, a missed deadline, or wrong bytes.
   *
   * @param failure what went wrong; line breaks become spaces
   */
  public static ForkRecord failed(
      int index,
      Instant start,
      long elapsedMs,
      @Nullable Verification before,
      @Nullable Verification after,
      String failure) {
    return notOk(ForkStatus.FAILED, index, start, elapsedMs, before, after, failure);
  }

  /** A fork that was stopped on request before it was done. */
  public static ForkRecord interrupted(int index, Instant start, long elapsedMs) {
    return notOk(ForkStatus.INTERRUPTED, index, start, elapsedMs, null, null, "interrupted");
  }

  private static ForkRecord notOk(
      ForkStatus status,
      int index,
      Instant start,
      long elapsedMs,
      @Nullable Verification before,
      @Nullable Verification after,
      String failure) {
    String line = failure.strip().replaceAll("\\R\\s*", " ");
    return new ForkRecord(
        index, status, line, start, elapsedMs, before, after, null, null, null, null);
  }

  /** Whether a resumed run leaves this fork as it is. */
  public boolean done() {
    return status != ForkStatus.INTERRUPTED;
  }

  private static boolean hasWrong(@Nullable Verification verification) {
    return verification != null && !verification.passed();
  }
}
