package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Chunks that start at any element: two-byte elements of different folds share words, runs have no
 * common 16-byte phase, and no fold may lose a neighbour's half of a word.
 */
@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class OddOffsetsTest {
  private static final int GRANULE = 1;
  private static final int MOST_ELEMENTS = 4099;

  @Test
  void chunksOfAnyLengthGiveTheSimulatorsBytes() {
    for (Precision precision :
        List.of(Precision.BF16, Precision.F32, Precision.F32_BF16WIRE, Precision.BF16_F32ACC)) {
      for (int ranks : new int[] {2, 3, 5, 8}) {
        try (Group direct = open(ranks, precision, Transport.DIRECT);
            Group staged = open(ranks, precision, Transport.STAGED_HOST)) {
          for (String name :
              List.of("ring", "two-shot", "circulant", "swing", "halving-doubling")) {
            for (int count : new int[] {1, 7, 11, 61, 1001, MOST_ELEMENTS}) {
              Schedule schedule = Algorithms.named(name).plan(ranks, count, GRANULE);
              check(direct, schedule, precision);
              check(staged, schedule, precision);
            }
          }
        }
      }
    }
  }

  private static Group open(int ranks, Precision precision, Transport transport) {
    return new VulkanBackend()
        .open(
            GroupSpec.builder(DriverCondition.id("llvmpipe"), ranks)
                .placement(Placement.SINGLE_QUEUE)
                .transport(transport)
                .precision(precision)
                .capacityBytes(4L * MOST_ELEMENTS)
                .build());
  }

  private static void check(Group group, Schedule schedule, Precision precision) {
    ElementType type = precision.element();
    byte[][] inputs = TestVectors.mixed(type, schedule.ranks(), 5).vectors(schedule.count());
    byte[][] expected = new ReferenceSimulator(schedule, precision).run(inputs);
    byte[] poison = new byte[4 * MOST_ELEMENTS];
    Arrays.fill(poison, (byte) 0x5a);
    for (int rank = 0; rank < schedule.ranks(); rank++) {
      group.write(rank, DataBuffer.RECV, poison);
      group.write(rank, DataBuffer.SEND, inputs[rank]);
    }
    try (Collective collective = group.prepare(schedule, Operands.OUT_OF_PLACE)) {
      collective.enqueue();
      collective.await();
    }
    for (int rank = 0; rank < schedule.ranks(); rank++) {
      byte[] actual = new byte[poison.length];
      group.read(rank, DataBuffer.RECV, 0, actual);
      byte[] wanted = poison.clone();
      System.arraycopy(expected[rank], 0, wanted, 0, expected[rank].length);
      assertThat(Arrays.mismatch(actual, wanted))
          .as("%s n=%d count=%d", precision.name(), schedule.ranks(), schedule.count())
          .isEqualTo(-1);
    }
  }
}
