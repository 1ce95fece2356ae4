package org.allreducelab.harness.decode;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.allreducelab.backends.Pause;

/**
 * When steps are due. In a closed loop that is when the one before is done. In an open loop step i
 * is due i / rate after the start, done or not: a stall then shows in the latency of all steps that
 * it delays, which are counted from when they were due.
 */
final class StepClock {
  private final double rate;
  private final LongSupplier nanoClock;
  private final LongConsumer sleepUntilNs;
  private long startNs;

  /**
   * @param rate steps due per second; 0 for a closed loop
   * @param nanoClock as {@link System#nanoTime()}
   * @param sleepUntilNs returns when the clock shows that time
   */
  StepClock(double rate, LongSupplier nanoClock, LongConsumer sleepUntilNs) {
    this.rate = rate;
    this.nanoClock = nanoClock;
    this.sleepUntilNs = sleepUntilNs;
  }

  static StepClock of(double rate) {
    return new StepClock(rate, System::nanoTime, Pause::until);
  }

  void start() {
    startNs = nanoClock.getAsLong();
  }

  long startNs() {
    return startNs;
  }

  /**
   * Returns when a step may start.
   *
   * @return when it was due
   */
  long awaitStart(int step) {
    if (rate == 0) {
      return nanoClock.getAsLong();
    }
    long dueNs = startNs + Math.round(step * (TimeUnit.SECONDS.toNanos(1) / rate));
    sleepUntilNs.accept(dueNs);
    return dueNs;
  }
}
