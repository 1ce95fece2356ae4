package org.allreducelab.backends.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingUse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong on devices, which the contract test has no way to ask for. */
final class HostDrivenEngineTest {
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  /** A device that computes nothing, and fails when told to. */
  private final class FakeDevice implements RankDevice {
    private final int rank;
    private final boolean refusesPeers;
    private final boolean fails;

    FakeDevice(int rank, boolean refusesPeers, boolean fails) {
      this.rank = rank;
      this.refusesPeers = refusesPeers;
      this.fails = fails;
    }

    @Override
    public String kernels() {
      return rank == 0 ? "first" : "other";
    }

    @Override
    public int hostAlignment() {
      return 1 << rank;
    }

    @Override
    public void write(DataBuffer buffer, byte[] bytes) {}

    @Override
    public void read(DataBuffer buffer, long byteOffset, byte[] into) {}

    /** Memory of its own kind for rank 1, the usual for others. */
    @Override
    public HostMemory slotMemory(int bytes, int alignment) {
      if (rank != 1) {
        return RankDevice.super.slotMemory(bytes, alignment);
      }
      assertThat(alignment).isEqualTo(4);
      ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
      return new HostMemory() {
        @Override
        public ByteBuffer bytes() {
          return memory;
        }

        @Override
        public void close() {
          events.add("free memory of 1");
        }
      };
    }

    @Override
    public void addSlots(int owner, int buffer, ByteBuffer host) {
      if (refusesPeers && owner == 1) {
        throw new BackendException("no room for slots of rank " + owner);
      }
      events.add("add " + owner + " to " + rank);
    }

    @Override
    public void removeSlots(int owner, int buffer) {
      events.add("remove " + owner + " from " + rank);
    }

    @Override
    public void pick(StagingUse use) {}

    @Override
    public Work record(Program program) {
      return new Work() {
        @Override
        public void run(int submission) {
          if (fails) {
            throw new BackendException("device of rank " + rank + " is lost");
          }
        }

        @Override
        public void close() {
          events.add("close work of " + rank);
        }
      };
    }

    @Override
    public void condemn() {
      events.add("condemn " + rank);
    }

    @Override
    public void opened(Group group) {}

    @Override
    public void closed(Group group) {}

    @Override
    public void close() {
      events.add("close " + rank);
    }
  }

  private Group open(int refusing, int failing) {
    GroupSpec spec =
        GroupSpec.builder("fake", 3).capacityBytes(64).deadline(Duration.ofSeconds(20)).build();
    HostDrivenEngine engine =
        new HostDrivenEngine(spec, rank -> new FakeDevice(rank, rank == refusing, rank == failing));
    assertThat(engine.kernels()).isEqualTo("first, other");
    Choices choices =
        new Choices(
            new Choice<>(Placement.PHYSICAL, "test"),
            new Choice<>(Transport.STAGED_HOST, "test"),
            new Choice<>(Sync.PROXY, "test"),
            new Choice<>(Barrier.PAIRWISE, "test"),
            new Choice<>("fake", "test"));
    return new DeviceGroup<>(spec, choices, "fake", engine);
  }

  private static Collective ring(Group group) {
    return group.prepare(Algorithms.named("ring").plan(3, 24), Operands.OUT_OF_PLACE);
  }

  @Test
  void aFailedDeviceEndsTheGroupWithItsOwnError() {
    try (Group group = open(-1, 1)) {
      Collective collective = ring(group);
      collective.enqueue();
      collective.enqueue();
      assertThatThrownBy(group::await)
          .isInstanceOf(BackendException.class)
          .hasMessage("rank 1 failed: device of rank 1 is lost");
      assertThatThrownBy(collective::enqueue).hasMessageContaining("the group has failed");
    }
    assertThat(events).contains("condemn 0", "condemn 1", "condemn 2");
    assertThat(events).containsSubsequence("close work of 0", "close 2", "close 1", "close 0");
    assertThat(events).containsSubsequence("remove 1 from 2", "free memory of 1", "close 1");
    assertThat(events).containsOnlyOnce("free memory of 1");
  }

  @Test
  void slotsThatOneDeviceRefusesAreTakenFromAll() {
    try (Group group = open(2, -1)) {
      Collective collective = ring(group);
      assertThatThrownBy(collective::enqueue).hasMessage("no room for slots of rank 1");
    }
    assertThat(events).contains("add 1 to 0", "remove 1 from 0", "remove 1 from 2");
    assertThat(events).containsOnlyOnce("free memory of 1");
  }

  @Test
  void aDeviceThatCannotBeOpenedClosesThoseBefore() {
    GroupSpec spec = GroupSpec.builder("fake", 3).capacityBytes(64).build();
    assertThatThrownBy(
            () ->
                new HostDrivenEngine(
                    spec,
                    rank -> {
                      if (rank == 2) {
                        throw new BackendException("not here");
                      }
                      return new FakeDevice(rank, false, false);
                    }))
        .hasMessage("not here");
    assertThat(events).containsExactly("close 1", "close 0");
  }
}
