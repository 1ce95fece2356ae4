package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An invocation allocates nothing on the Java heap. */
@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class SteadyStateTest {
  private static final int WARM_UP = 2000;
  private static final int INVOCATIONS = 2000;
  private static final int IN_FLIGHT = 8;

  @ParameterizedTest
  @EnumSource(
      value = Placement.class,
      names = {"QUEUES", "LOGICAL", "SINGLE_QUEUE"})
  void invocationsAllocateNothing(Placement placement) {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Group group =
            new VulkanBackend()
                .open(
                    GroupSpec.builder(DriverCondition.id("llvmpipe"), 3)
                        .placement(placement)
                        .capacityBytes(256)
                        .build());
        Collective collective =
            group.prepare(Algorithms.named("ring").plan(3, 100), Operands.OUT_OF_PLACE)) {
      invoke(collective, WARM_UP);
      long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      invoke(collective, INVOCATIONS);
      long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
      assertThat(bytes).as("bytes for %d invocations", INVOCATIONS).isLessThan(INVOCATIONS);
    }
  }

  private static void invoke(Collective collective, int times) {
    for (int i = 0; i < times; i++) {
      collective.enqueue();
      if (i % IN_FLIGHT == IN_FLIGHT - 1) {
        collective.await();
      }
    }
    collective.await();
  }
}
