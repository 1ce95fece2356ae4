package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Timings;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class TimestampsTest {
  private static final int RANKS = 3;
  private static final int COUNT = 100_000;

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  private static Group open(Placement placement, boolean timestamps) {
    return new VulkanBackend()
        .open(
            GroupSpec.builder(DriverCondition.id("llvmpipe"), RANKS)
                .placement(placement)
                .transport(Transport.STAGED_HOST)
                .capacityBytes(2 * COUNT)
                .timestamps(timestamps)
                .build());
  }

  private static Collective ring(Group group, int count) {
    return group.prepare(Algorithms.named("ring").plan(RANKS, count), Operands.OUT_OF_PLACE);
  }

  /** Kernels work within the span, and the span lies between enqueue() and the end of await(). */
  @ParameterizedTest
  @EnumSource(
      value = Placement.class,
      names = {"QUEUES", "LOGICAL", "SINGLE_QUEUE"})
  void deviceTimeLiesWithinHostTime(Placement placement) {
    try (Group group = open(placement, true);
        Collective collective = ring(group, COUNT)) {
      for (int i = 0; i < 20; i++) {
        long startNs = System.nanoTime();
        collective.enqueue();
        collective.await();
        long elapsedNs = System.nanoTime() - startNs;

        Timings timings = collective.timings();
        assertThat(timings.kernelsNs()).isPositive();
        assertThat(timings.deviceNs()).isBetween(timings.kernelsNs(), elapsedNs);
        if (placement == Placement.SINGLE_QUEUE) {
          assertThat(timings.kernelsNs()).isEqualTo(timings.deviceNs());
        }
      }
    }
  }

  /** How their times add up is {@link TimedStepsTest}'s. */
  @Test
  void ranksThatShareAQueueAreTimed() {
    int ranks = 8;
    try (Group group =
            new VulkanBackend()
                .open(
                    GroupSpec.builder(DriverCondition.id("llvmpipe"), ranks)
                        .queues(2)
                        .capacityBytes(2 * COUNT)
                        .timestamps(true)
                        .build());
        Collective collective =
            group.prepare(
                Algorithms.named("double-binary-tree").plan(ranks, COUNT), Operands.OUT_OF_PLACE)) {
      collective.enqueue();
      collective.await();

      Timings timings = collective.timings();
      assertThat(timings.kernelsNs()).isPositive();
      assertThat(timings.deviceNs()).isGreaterThanOrEqualTo(timings.kernelsNs());
    }
  }

  /** No other device sees its timeline, so none is asked whether it may be exported. */
  @Test
  void oneRankOnADeviceOfItsOwnIsTimed() {
    try (Group group =
            new VulkanBackend()
                .open(
                    GroupSpec.builder(DriverCondition.id("llvmpipe"), 1)
                        .placement(Placement.LOGICAL)
                        .capacityBytes(64)
                        .timestamps(true)
                        .build());
        Collective alone =
            group.prepare(Algorithms.named("ring").plan(1, 8), Operands.OUT_OF_PLACE)) {
      alone.enqueue();
      alone.await();

      assertThat(alone.timings().deviceNs()).isPositive();
    }
  }

  /** Each waits for the one before: none overwrites timestamps that are still being written. */
  @Test
  void enqueuedTogetherTheLastOneIsTimed() {
    try (Group group = open(Placement.QUEUES, true);
        Collective large = ring(group, COUNT);
        Collective small = ring(group, 8)) {
      for (int i = 0; i < 4; i++) {
        large.enqueue();
        small.enqueue();
      }
      group.await();

      assertThat(small.timings().deviceNs()).isPositive();
      assertThat(large.timings().deviceNs()).isPositive();
    }
  }

  /** Staging memory changes, so the small one is recorded again, with timestamps. */
  @Test
  void recordedAgainItIsTimedAgain() {
    try (Group group = open(Placement.LOGICAL, true);
        Collective small = ring(group, 8)) {
      small.enqueue();
      small.await();
      try (Collective large = ring(group, COUNT)) {
        large.enqueue();
        large.await();
      }
      assertThat(group.staging().rerecordings()).isZero();
      small.enqueue();
      small.await();

      assertThat(group.staging().rerecordings()).isPositive();
      assertThat(small.timings().deviceNs()).isPositive();
    }
  }

  @Test
  void anEmptyVectorTakesNoDeviceTime() {
    try (Group group = open(Placement.QUEUES, true);
        Collective empty = ring(group, 0)) {
      empty.enqueue();
      empty.await();

      assertThat(empty.timings().deviceNs()).isEqualTo(Timings.UNKNOWN);
    }
  }

  @Test
  void withoutBeingAskedForNothingIsTimedByTheDevice() {
    try (Group group = open(Placement.QUEUES, false);
        Collective collective = ring(group, COUNT)) {
      collective.enqueue();
      collective.await();

      assertThat(collective.timings().deviceNs()).isEqualTo(Timings.UNKNOWN);
      assertThat(collective.timings().kernelsNs()).isEqualTo(Timings.UNKNOWN);
      assertThat(collective.timings().submitNs()).isPositive();
      assertThat(collective.timings().waitNs()).isPositive();
    }
  }
}
