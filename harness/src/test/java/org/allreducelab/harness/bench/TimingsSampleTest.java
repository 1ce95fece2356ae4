package org.allreducelab.harness.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.allreducelab.backends.Timings;
import org.junit.jupiter.api.Test;

class TimingsSampleTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicLong clock = new AtomicLong();

  private TimingsSample take(long runNs, long deviceNs) {
    return TimingsSample.take(
        () -> {
          runs.incrementAndGet();
          clock.addAndGet(runNs);
        },
        () -> new Timings(runs.get(), 2L * runs.get(), deviceNs, Timings.UNKNOWN),
        clock::get);
  }

  @Test
  void theMedianOfEachPart() {
    TimingsSample sample = take(50_000_000, 7);

    assertThat(runs).hasValue(9);
    assertThat(sample.median(Timings::submitNs)).isEqualTo(5);
    assertThat(sample.median(Timings::waitNs)).isEqualTo(10);
    assertThat(sample.median(Timings::deviceNs)).isEqualTo(7);
    assertThat(sample.median(Timings::kernelsNs)).isNull();
  }

  @Test
  void takesAFifthOfASecondAndAtMostTwoHundred() {
    take(10_000_000, 7);
    assertThat(runs).hasValue(20);

    runs.set(0);
    take(1000, 7);
    assertThat(runs).hasValue(200);
  }

  @Test
  void whereNothingIsMeasuredOneRunTellsIt() {
    TimingsSample sample =
        TimingsSample.take(runs::incrementAndGet, () -> Timings.NONE, clock::get);

    assertThat(runs).hasValue(1);
    assertThat(sample.median(Timings::submitNs)).isNull();
  }
}
