package org.allreducelab.harness.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Runs the code that will be timed until the compiler has done with it, before JMH's own warm-up.
 *
 * <p>How long that takes differs by two orders of magnitude: vector code costs a thousand times as
 * much interpreted as compiled, so a fixed warm-up is either too short for the small messages or
 * too long for a run of two minutes. Settled means: two windows of 100 ms in a row whose medians
 * are within 10 % of each other, while the compiler was quiet.
 */
final class Settling {
  private static final long WINDOW_NS = Duration.ofMillis(100).toNanos();
  private static final long LIMIT_NS = Duration.ofSeconds(5).toNanos();
  private static final double SAME = 0.1;
  private static final long QUIET_MS = 3;

  private final LongSupplier nanoClock;
  private final LongSupplier compilationMs;
  private final Histogram window = Latencies.newHistogram();

  /**
   * @param nanoClock as {@link System#nanoTime()}
   * @param compilationMs time spent compiling so far, milliseconds
   */
  Settling(LongSupplier nanoClock, LongSupplier compilationMs) {
    this.nanoClock = nanoClock;
    this.compilationMs = compilationMs;
  }

  /** Watches this JVM; one without a compiler is always quiet. */
  static Settling ofThisJvm() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    boolean known = compiler != null && compiler.isCompilationTimeMonitoringSupported();
    return new Settling(System::nanoTime, known ? compiler::getTotalCompilationTime : () -> 0);
  }

  /**
   * Runs until settled, or for five seconds.
   *
   * @param timedRun runs once, and returns the nanoseconds its timed part took
   * @return whether it settled
   */
  public boolean run(LongSupplier timedRun) {
    long start = nanoClock.getAsLong();
    long before = 0;
    while (nanoClock.getAsLong() - start < LIMIT_NS) {
      long compiled = compilationMs.getAsLong();
      long median = medianOfWindow(timedRun);
      boolean same = Math.abs(median - before) <= SAME * before;
      if (same && compilationMs.getAsLong() - compiled <= QUIET_MS) {
        return true;
      }
      before = median;
    }
    return false;
  }

  private long medianOfWindow(LongSupplier timedRun) {
    window.reset();
    long end = nanoClock.getAsLong() + WINDOW_NS;
    do {
      window.recordValue(timedRun.getAsLong());
    } while (nanoClock.getAsLong() < end);
    return window.getValueAtPercentile(50);
  }
}
