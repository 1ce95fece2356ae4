package org.allreducelab.backends.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReuseTest {
  private static final List<Reuse> ALL = Reuse.standard();

  @Test
  void theSamePlaceInThreeSizesAndNeighboursInOneLine() {
    assertThat(ALL)
        .filteredOn(reuse -> reuse.place() == Place.REUSED)
        .extracting(reuse -> reuse.again().bytes())
        .containsExactly(16L, 4096L, 1L << 20);
    assertThat(ALL)
        .filteredOn(reuse -> reuse.place() == Place.NEIGHBOUR)
        .isNotEmpty()
        .allMatch(reuse -> reuse.written().end() <= 128)
        .noneMatch(
            reuse ->
                reuse.again().offset() < reuse.read().end()
                    && reuse.read().offset() < reuse.again().end())
        .anyMatch(reuse -> reuse.read().end() == reuse.again().offset());
    assertThat(ALL).extracting(reuse -> reuse.written().end()).allMatch(end -> end <= Reuse.BYTES);
  }

  @Test
  void whatIsReadWasWritten() {
    Block written = new Block(16, 16);
    for (Block outside : List.of(new Block(16, 0), new Block(16, 20), new Block(20, 16))) {
      assertThatThrownBy(() -> new Reuse(written, outside, written))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new Reuse(written, written, outside))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void anAttemptTellsWhatWasThereBefore() {
    Block block = new Block(16, 4);
    assertThat(new Attempt(Engine.COPY, block, Place.FRESH))
        .hasToString("copy of 16 bytes at offset 4");
    assertThat(new Attempt(Engine.KERNEL, block, Place.REUSED))
        .hasToString("kernel of 16 bytes at offset 4, overwritten after it was read");
  }
}
