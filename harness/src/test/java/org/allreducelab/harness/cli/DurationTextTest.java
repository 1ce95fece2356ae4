package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({"10s,10000000,10s", "500ms,500000,500ms", "50us,50,50us", "2min,120000000,120s"})
  void readsAndPrints(String text, long micros, String printed) {
    assertThat(DurationText.parse(text).toNanos()).isEqualTo(micros * 1000);
    assertThat(DurationText.format(DurationText.parse(text))).isEqualTo(printed);
  }

  @Test
  void refusesMoreNanosecondsThanALongHolds() {
    assertThatThrownBy(() -> DurationText.parse("999999999min"))
        .isInstanceOf(UsageException.class)
        .hasMessage("the time '999999999min' is too long; at most 153722867min");
    assertThat(DurationText.format(DurationText.parse("153722867min"))).isEqualTo("9223372020s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "0s", "-1s", "1.5s", "10 s", "10h"})
  void refusesOtherText(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("10s, 500ms");
  }
}
