package org.allreducelab.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagTest {
  @ParameterizedTest
  @ValueSource(strings = {"ring", "20KiB", "gc.alloc.rate.norm", "a_b-c.1", "-"})
  void acceptsTheAlphabet(String text) {
    assertThat(new Tag(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a,b", "vulkan:0", "a=b", "é", "a\n", "a/b", "\u0663"})
  void refusesAnythingElse(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tag.require("parameter value", text))
        .withMessage(
            "parameter value '" + text + "' may only hold A-Z a-z 0-9 . _ - and must not be empty");
  }

  @Test
  void freeTextIsMapped() {
    assertThat(Tag.from("vulkan:0", "recursive-doubling:distance=asc", "20 KiB"))
        .hasToString("vulkan_0-recursive-doubling_distance_asc-20_KiB");
  }

  @Test
  void aForkHasItsTag() {
    assertThat(Tag.ofFork(new ForkId("cpu-ring", 2))).hasToString("cpu-ring.fork2");
    assertThatIllegalArgumentException().isThrownBy(() -> new ForkId("cpu ring", 2));
    assertThatIllegalArgumentException().isThrownBy(() -> new ForkId("cpu-ring", -1));
  }
}
