package org.allreducelab.backends.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeviceSpanTest {
  @Test
  void spansFromTheFirstStartToTheLastEnd() {
    DeviceSpan span = new DeviceSpan(2, 64, 2.0);
    span.add(1, 1000, 1100);
    span.add(0, 900, 950);
    span.add(0, 1150, 1300);
    span.add(1, 1200, 1210);

    assertThat(span.times()).isEqualTo(new DeviceTimes(2 * (1300 - 900), 2 * (50 + 150)));
  }

  /** A counter of 36 bits that ticks in nanoseconds wraps every 69 seconds. */
  @Test
  void aCounterThatWrapsIsNoLongTime() {
    long wrap = 1L << 36;
    long garbage = 5L << 40;
    DeviceSpan span = new DeviceSpan(1, 36, 1.0);
    span.add(0, garbage + wrap - 30, 20);
    span.add(0, wrap - 50, garbage + wrap - 40);

    assertThat(span.times()).isEqualTo(new DeviceTimes(70, 60));
  }

  @Test
  void allBitsMayBeValid() {
    DeviceSpan span = new DeviceSpan(1, 64, 1.0);
    span.add(0, -10, 15);

    assertThat(span.times()).isEqualTo(new DeviceTimes(25, 25));
  }

  @Test
  void withoutStepsNothingIsKnown() {
    assertThat(new DeviceSpan(1, 64, 1.0).times()).isEqualTo(DeviceTimes.UNKNOWN);
  }

  @Test
  void ofSeveralDevicesTheLongestCounts() {
    DeviceTimes waits = new DeviceTimes(100, 10);
    DeviceTimes works = new DeviceTimes(60, 50);

    assertThat(waits.longest(works)).isEqualTo(new DeviceTimes(100, 50));
    assertThat(works.longest(waits)).isEqualTo(new DeviceTimes(100, 50));
    assertThat(DeviceTimes.UNKNOWN.longest(works)).isEqualTo(works);
  }
}
