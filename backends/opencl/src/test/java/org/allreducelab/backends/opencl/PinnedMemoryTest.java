package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.device.HostMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryUtil;

/** Slots in memory of the driver, and in the JVM's where it refuses. */
@Tag("opencl")
@RequiresPocl
final class PinnedMemoryTest {
  private static final int RANKS = 3;
  private static final Schedule SCHEDULE = Algorithms.named("two-shot").plan(RANKS, 10_001);

  private final Device pocl = Devices.named(PoclCondition.devices().get(0));

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  @Test
  void itIsAlignedAndOfTheSizeAskedFor() {
    try (DeviceContext context = new DeviceContext(pocl);
        CommandQueue queue = new CommandQueue(context);
        HostMemory pinned = SlotMemory.PINNED.make(queue, 12_345, 4096);
        HostMemory pageable = SlotMemory.PAGEABLE.make(queue, 12_345, 4096)) {
      for (HostMemory memory : List.of(pinned, pageable)) {
        assertThat(memory.bytes().capacity()).isEqualTo(12_345);
        assertThat(MemoryUtil.memAddress(memory.bytes()) % 4096).isZero();
      }
    }
  }

  /** Its bytes are those of the host: another context's commands read what the host wrote. */
  @Test
  void anotherContextCopiesFromItWhatTheHostWrote() {
    try (DeviceContext one = new DeviceContext(pocl);
        DeviceContext other = new DeviceContext(pocl);
        CommandQueue queue = new CommandQueue(one);
        CommandQueue reader = new CommandQueue(other);
        DeviceBuffer there = new DeviceBuffer(other, 4096);
        PinnedMemory memory = new PinnedMemory(queue, 4096, 4096)) {
      for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < 4096; i++) {
          memory.bytes().put(i, (byte) (round * i));
        }
        reader.fromHost(there.handle(), 0, 4096, MemoryUtil.memAddress(memory.bytes()), 0);
        reader.finish();
        byte[] seen = new byte[4096];
        reader.read(there, 0, seen);
        assertThat(ByteBuffer.wrap(seen)).isEqualTo(memory.bytes());
      }
    }
  }

  @Test
  void poclGivesIt() {
    assertThat(PinningProbe.obstacle(pocl)).isEmpty();
    assertThat(reasonOfAnExactGroup(new OpenClBackend())).contains("that the drivers pin");
  }

  @Test
  void withoutItTheBytesAreTheSameAndTheReasonSaysSo() {
    OpenClBackend refused =
        new OpenClBackend(OnPaper.pageable(pocl.id(), "clCreateBuffer gave -6"));
    assertThat(reasonOfAnExactGroup(refused))
        .endsWith("slots in pageable memory, since pinned memory failed: clCreateBuffer gave -6");
  }

  @Test
  void whatTheDriverCannotGiveIsItsError() {
    try (DeviceContext context = new DeviceContext(pocl);
        CommandQueue queue = new CommandQueue(context)) {
      long most = pocl.facts().maxAllocationBytes();
      if (most < Integer.MAX_VALUE - 4096) {
        assertThatThrownBy(() -> new PinnedMemory(queue, (int) most + 4096, 4096))
            .isInstanceOf(DriverException.class)
            .hasMessageContaining("clCreateBuffer of");
      }
    }
  }

  private String reasonOfAnExactGroup(OpenClBackend backend) {
    Precision precision = Precision.BF16;
    byte[][] inputs = TestVectors.mixed(precision.element(), RANKS, 3).vectors(SCHEDULE.count());
    byte[][] expected = new ReferenceSimulator(SCHEDULE, precision).run(inputs);
    GroupSpec spec =
        GroupSpec.builder(pocl.id(), RANKS)
            .placement(Placement.LOGICAL)
            .precision(precision)
            .capacityBytes(expected[0].length)
            .build();
    try (Group group = backend.open(spec);
        Collective collective = group.prepare(SCHEDULE, Operands.OUT_OF_PLACE)) {
      for (int rank = 0; rank < RANKS; rank++) {
        group.write(rank, DataBuffer.SEND, inputs[rank]);
      }
      collective.enqueue();
      collective.await();
      for (int rank = 0; rank < RANKS; rank++) {
        byte[] actual = new byte[expected[rank].length];
        group.read(rank, DataBuffer.RECV, 0, actual);
        assertThat(Arrays.mismatch(actual, expected[rank])).as("rank %d", rank).isEqualTo(-1);
      }
      return group.choices().transport().reason();
    }
  }
}
