package org.allreducelab.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import org.allreducelab.backends.probe.Block;
import org.junit.jupiter.api.Test;

class SweepTest {
  private static final long MIB = 1 << 20;
  private static final List<Block> SWEEP = Sweep.standard();

  @Test
  void smallBlocksComeFirst() {
    assertThat(SWEEP)
        .isSortedAccordingTo(
            Comparator.comparingLong(Block::bytes).thenComparingLong(Block::offset))
        .doesNotHaveDuplicates();
  }

  @Test
  void goesFrom4BytesTo64MibAndAroundMultiplesOf2Mib() {
    assertThat(SWEEP)
        .extracting(Block::bytes)
        .contains(4L, 2 * MIB - 4, 2 * MIB, 2 * MIB + 4, 4 * MIB, 6 * MIB + 4, 8 * MIB - 4)
        .contains(3_563_520L, 64 * MIB)
        .startsWith(4L)
        .endsWith(64 * MIB);
  }

  @Test
  void blocksOfAllSizesCross2Mib() {
    for (long bytes : new long[] {64, 4096, 3_563_520, 4 * MIB}) {
      assertThat(SWEEP)
          .anyMatch(b -> b.bytes() == bytes && b.offset() < 2 * MIB && b.end() > 2 * MIB);
    }
    assertThat(SWEEP.stream().filter(b -> b.bytes() == 3_563_520).map(Block::offset))
        .containsExactly(0L, 4L, 4092L, 2 * MIB - 4);
  }
}
