package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RankListTest {
  @Test
  void readsListsAndRanges() {
    assertThat(RankList.parse("4").values()).containsExactly(4);
    assertThat(RankList.parse("2,4,8").values()).containsExactly(2, 4, 8);
    assertThat(RankList.parse("2-5").values()).containsExactly(2, 3, 4, 5);
    assertThat(RankList.parse("8,2-4,3").values()).containsExactly(8, 2, 3, 4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1025", "2-1025", "99999999999999999", "0-3"})
  void refusesNumbersOutOfRange(String text) {
    assertThatThrownBy(() -> RankList.parse(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("must be 1 to 1024");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "2-", "2,,3", "2-3-4", "2..8", "9999999999999999999999"})
  void refusesOtherText(String text) {
    assertThatThrownBy(() -> RankList.parse(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("expected 4, 2,4,8 or 2-8");
  }

  @Test
  void refusesARangeBackwards() {
    assertThatThrownBy(() -> RankList.parse("8-2"))
        .hasMessageContaining("smaller number comes first");
  }

  @ParameterizedTest
  @CsvSource({"2-8,2-8", "4,4", "'2,3','2,3'", "'1-3,8','1-3,8'"})
  void printsWhatItReads(String text, String printed) {
    assertThat(RankList.parse(text)).hasToString(printed);
  }
}
