package org.allreducelab.backends.vulkan;

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

    assertThat(span.spanNs()).isEqualTo(2 * (1300 - 900));
    assertThat(span.busiestStreamNs()).isEqualTo(2 * (50 + 150));
  }

  /** A counter of 36 bits that ticks in nanoseconds wraps every 69 seconds. */
  @Test
  void aCounterThatWrapsIsNoLongTime() {
    long wrap = 1L << 36;
    long garbage = 5L << 40;
    DeviceSpan span = new DeviceSpan(1, 36, 1.0);
    span.add(0, garbage + wrap - 30, 20);
    span.add(0, wrap - 50, garbage + wrap - 40);

    assertThat(span.spanNs()).isEqualTo(70);
    assertThat(span.busiestStreamNs()).isEqualTo(60);
  }

  @Test
  void allBitsMayBeValid() {
    DeviceSpan span = new DeviceSpan(1, 64, 1.0);
    span.add(0, -10, 15);

    assertThat(span.spanNs()).isEqualTo(25);
  }

  @Test
  void withoutSubmissionsItIsNoTime() {
    assertThat(new DeviceSpan(1, 64, 1.0).spanNs()).isZero();
  }
}
