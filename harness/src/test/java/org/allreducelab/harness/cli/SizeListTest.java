package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.allreducelab.algorithms.numerics.Precision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeListTest {
  @Test
  void readsUnitsListsAndSweeps() {
    assertThat(SizeList.bytes("20KiB").values()).containsExactly(20480L);
    assertThat(SizeList.bytes("8,1MiB,8B").values()).containsExactly(8L, 1048576L);
    assertThat(SizeList.bytes("8:64:x2").values()).containsExactly(8L, 16L, 32L, 64L);
    assertThat(SizeList.bytes("8:64MiB:x2").values()).hasSize(24).endsWith(67108864L);
    assertThat(SizeList.bytes("1:100:x10,7").values()).containsExactly(1L, 10L, 100L, 7L);
    assertThat(SizeList.counts("0,1,65543").values()).containsExactly(0L, 1L, 65543L);
  }

  @Test
  void turnsBytesIntoElements() {
    assertThat(SizeList.bytes("20KiB").counts(4, Precision.BF16)).containsExactly(10240);
    assertThat(SizeList.bytes("20KiB").counts(4, Precision.F32)).containsExactly(5120);
    assertThat(SizeList.counts("9").counts(4, Precision.F32)).containsExactly(9);
  }

  @Test
  void refusesBytesThatSplitAnElement() {
    assertThatThrownBy(() -> SizeList.bytes("6").counts(2, Precision.F32))
        .isInstanceOf(UsageException.class)
        .hasMessage("6 bytes are no whole number of f32 elements; expected a multiple of 4");
  }

  @Test
  void refusesMoreThanOneArray() {
    for (String text : new String[] {"2GiB", "1TiB", "2147483640", "99999999999999999999KiB"}) {
      assertThatThrownBy(() -> SizeList.bytes(text))
          .hasMessage("bytes must be 0 to 2147483639 (one array, just under 2 GiB), not " + text);
    }
    assertThat(SizeList.bytes("2147483639").values()).containsExactly(2147483639L);
    assertThatThrownBy(() -> SizeList.counts("2147483639").counts(2, Precision.BF16))
        .hasMessageContaining("at most 1073741819");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "-1KiB"})
  void refusesNegativeSizes(String text) {
    assertThatThrownBy(() -> SizeList.bytes(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("must be 0 to");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "KiB", "20KB", "20kib", "1.5MiB", "8:64", "8:64:2", "8:64:x2:x2", "8,"})
  void refusesOtherText(String text) {
    assertThatThrownBy(() -> SizeList.bytes(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("malformed bytes '" + text + "'; expected 20KiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"8:64:x1", "64:8:x2", "0:64:x2", "8:64:x0"})
  void refusesSweepsThatNeverEnd(String text) {
    assertThatThrownBy(() -> SizeList.bytes(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("goes nowhere");
  }

  @Test
  void countsTakeNoUnit() {
    assertThatThrownBy(() -> SizeList.counts("1KiB")).hasMessageContaining("malformed count");
  }
}
