package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels as GPUs and devices that flush subnormals get them, on a device that needs neither. */
@Tag("opencl")
@RequiresPocl
final class KernelFormsTest {

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  @ParameterizedTest(name = "soft={0} chunked={1}")
  @CsvSource({"true, true", "true, false", "false, false", "false, true"})
  void everyFormGivesTheSimulatorsBytes(boolean soft, boolean chunked) {
    OpenClBackend backend = new OpenClBackend(device -> new KernelTraits(soft, chunked));
    for (Precision precision : Precision.presets()) {
      int ranks = Math.min(3, precision.maxRanks());
      for (String name : List.of("ring", "one-shot", "two-shot")) {
        for (int count : new int[] {1, 1001, 40_000}) {
          check(backend, precision, Algorithms.named(name).plan(ranks, count));
        }
      }
    }
  }

  private static void check(OpenClBackend backend, Precision precision, Schedule schedule) {
    int ranks = schedule.ranks();
    int bytes = schedule.count() * precision.element().bytes();
    byte[][] inputs = TestVectors.mixed(precision.element(), ranks, 5).vectors(schedule.count());
    byte[][] expected = new ReferenceSimulator(schedule, precision).run(inputs);
    GroupSpec spec =
        GroupSpec.builder(PoclCondition.devices().get(0), ranks)
            .precision(precision)
            .capacityBytes(bytes)
            .build();
    try (Group group = backend.open(spec);
        Collective collective = group.prepare(schedule, Operands.OUT_OF_PLACE)) {
      for (int rank = 0; rank < ranks; rank++) {
        group.write(rank, DataBuffer.SEND, inputs[rank]);
      }
      collective.enqueue();
      collective.await();
      for (int rank = 0; rank < ranks; rank++) {
        byte[] actual = new byte[bytes];
        group.read(rank, DataBuffer.RECV, 0, actual);
        assertThat(Arrays.mismatch(actual, expected[rank]))
            .as("%s, %d elements, rank %d", precision.name(), schedule.count(), rank)
            .isEqualTo(-1);
      }
    }
  }
}
