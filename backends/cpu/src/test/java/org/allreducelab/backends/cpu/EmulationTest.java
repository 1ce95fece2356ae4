package org.allreducelab.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.cost.DriverModel;
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
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.staging.Shrink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The emulated driver, and ranks that compute between all-reduces. Times have lower bounds only.
 */
class EmulationTest {
  private static final int MIB = 1 << 20;

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  private static Group open(GroupSpec.Builder spec, int cores) {
    return new CpuBackend(cores, FoldLoops.best())
        .open(spec.transport(Transport.STAGED_HOST).precision(Precision.F32).build());
  }

  private static long elapsedNs(Collective collective) {
    long start = System.nanoTime();
    collective.enqueue();
    collective.await();
    return System.nanoTime() - start;
  }

  /** Ring, n = 2: 4 waits, whoever shares a worker, one after the other. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAllReduceTakesAtLeastItsWaitsTimesWhatIsResident(int cores) {
    GroupSpec.Builder spec =
        GroupSpec.builder("cpu", 2).capacityBytes(MIB).driverModel(new DriverModel(5_000_000));
    try (Group group = open(spec, cores)) {
      Collective c =
          group.prepare(Algorithms.named("ring").plan(2, MIB / 4), Operands.OUT_OF_PLACE);
      assertThat(c.program().waits()).isEqualTo(4);
      assertThat(elapsedNs(c)).isGreaterThanOrEqualTo(4 * 5_000_000);
    }
  }

  @Test
  void whatIsResidentCountsAndNotWhatIsSent() {
    for (boolean shrinks : new boolean[] {false, true}) {
      GroupSpec.Builder spec =
          GroupSpec.builder("cpu", 2).capacityBytes(MIB).driverModel(new DriverModel(20_000_000));
      if (shrinks) {
        spec.policy(new Shrink());
      }
      try (Group group = open(spec, 2)) {
        Collective large =
            group.prepare(Algorithms.named("ring").plan(2, MIB / 4), Operands.OUT_OF_PLACE);
        Collective small =
            group.prepare(Algorithms.named("ring").plan(2, 64), Operands.OUT_OF_PLACE);
        elapsedNs(large);
        long smallNs = Math.min(elapsedNs(small), elapsedNs(small));
        if (shrinks) {
          assertThat(smallNs).isLessThan(4 * 20_000_000);
        } else {
          assertThat(smallNs).isGreaterThanOrEqualTo(4 * 20_000_000);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void computingTakesItsTimeInOrderAndTheBytesStayRight(int cores) {
    int ranks = 3;
    int count = 1000;
    try (Group group = open(GroupSpec.builder("cpu", ranks).capacityBytes(4L * count), cores)) {
      byte[][] inputs = TestVectors.mixed(Precision.F32.element(), ranks, 4).vectors(count);
      for (int rank = 0; rank < ranks; rank++) {
        group.write(rank, DataBuffer.SEND, inputs[rank]);
      }
      Schedule schedule = Algorithms.named("ring").plan(ranks, count);
      Collective c = group.prepare(schedule, Operands.OUT_OF_PLACE);
      long start = System.nanoTime();
      for (int i = 0; i < 200; i++) {
        group.compute(100_000);
        c.enqueue();
      }
      group.await();
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(200 * 100_000);
      byte[][] expected = new ReferenceSimulator(schedule, Precision.F32).run(inputs);
      for (int rank = 0; rank < ranks; rank++) {
        byte[] actual = new byte[4 * count];
        group.read(rank, DataBuffer.RECV, 0, actual);
        assertThat(actual).isEqualTo(expected[rank]);
      }
    }
  }

  @Test
  void whatHasADriverRefusesToEmulateAnother() {
    GroupSpec spec =
        GroupSpec.builder(List.of("vulkan:0", "vulkan:0")).driverModel(new DriverModel(1)).build();
    assertThatThrownBy(spec::requireNoDriverModel)
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            "a driver model emulates a driver on the cpu backend only, not on vulkan:0; leave"
                + " --driver-model out to measure what is there");
  }
}
