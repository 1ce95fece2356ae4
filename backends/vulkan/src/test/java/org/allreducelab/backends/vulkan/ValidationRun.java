package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
import static org.lwjgl.vulkan.VK10.vkCreateBuffer;
import static org.lwjgl.vulkan.VK10.vkDestroyBuffer;

import java.nio.LongBuffer;
import java.util.List;
import org.allreducelab.algorithms.Algorithm;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCreateInfo;

/**
 * A process of its own that runs about 200 cases under the validation layer and prints what the
 * layer said, one line per message, and the number of cases at the end.
 */
final class ValidationRun {
  private static final int COUNT = 1001;

  private record Setup(
      Placement placement, Transport transport, Barrier barrier, @Nullable Integer queues) {}

  private static final List<Setup> SETUPS =
      List.of(
          new Setup(Placement.QUEUES, Transport.DIRECT, Barrier.RELAY, null),
          new Setup(Placement.QUEUES, Transport.STAGED_HOST, Barrier.PAIRWISE, null),
          new Setup(Placement.QUEUES, Transport.DIRECT, Barrier.PAIRWISE, 2),
          new Setup(Placement.QUEUES, Transport.STAGED_HOST, Barrier.RELAY, 3),
          new Setup(Placement.SINGLE_QUEUE, Transport.DIRECT, Barrier.PAIRWISE, null));

  private ValidationRun() {}

  public static void main(String[] arguments) {
    String endpoint = arguments[0];
    int cases = 0;
    for (Setup setup : SETUPS) {
      for (int ranks : new int[] {2, 3, 8}) {
        for (Precision precision : List.of(Precision.BF16, Precision.F32_BF16WIRE)) {
          cases += run(endpoint, setup, ranks, precision);
        }
      }
    }
    share(endpoint, Transport.DIRECT);
    share(endpoint, Transport.STAGED_HOST);
    SharedInstance.get().validationMessages().forEach(ValidationRun::print);
    System.out.println("cases " + cases);
    System.out.println("layer " + (isHeard(endpoint) ? "heard" : "silent"));
  }

  /** Whether a mistake made on purpose, a buffer of no bytes, is reported. */
  private static boolean isHeard(String endpoint) {
    int before = SharedInstance.get().validationMessages().size();
    PhysicalDevice physical =
        SharedInstance.get().devices().stream()
            .filter(d -> d.id().equals(endpoint))
            .findFirst()
            .orElseThrow();
    QueueFamily family = physical.facts().queueFamilies().get(0);
    try (LogicalDevice device = new LogicalDevice(physical, family, 1);
        MemoryStack stack = MemoryStack.stackPush()) {
      LongBuffer made = stack.callocLong(1);
      vkCreateBuffer(
          device.handle(),
          VkBufferCreateInfo.calloc(stack)
              .sType$Default()
              .usage(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
          null,
          made);
      vkDestroyBuffer(device.handle(), made.get(0), null);
    }
    return SharedInstance.get().validationMessages().size() > before;
  }

  /**
   * Memory shared between logical devices. Nothing is enqueued: with proxies, layer 1.3.239 blocks
   * in vkSignalSemaphore while a submission made earlier waits for that signal.
   */
  private static void share(String endpoint, Transport transport) {
    try (Group group =
        new VulkanBackend()
            .open(
                GroupSpec.builder(endpoint, 3)
                    .placement(Placement.LOGICAL)
                    .transport(transport)
                    .capacityBytes(COUNT)
                    .build())) {
      group.write(2, DataBuffer.SEND, new byte[COUNT]);
      group.read(0, DataBuffer.RECV, 0, new byte[COUNT]);
    }
  }

  private static void print(String message) {
    System.out.println("message " + message.replace('\n', ' '));
  }

  private static int run(String endpoint, Setup setup, int ranks, Precision precision) {
    int cases = 0;
    try (Group group =
        new VulkanBackend()
            .open(
                GroupSpec.builder(endpoint, ranks)
                    .placement(setup.placement())
                    .transport(setup.transport())
                    .barrier(setup.barrier())
                    .queues(setup.queues())
                    .precision(precision)
                    .capacityBytes(4L * COUNT)
                    .timestamps(ranks == 3)
                    .build())) {
      for (Algorithm algorithm : Algorithms.all()) {
        Schedule schedule = algorithm.plan(ranks, COUNT);
        Operands operands = cases % 2 == 0 ? Operands.OUT_OF_PLACE : Operands.IN_PLACE;
        try (Collective collective = group.prepare(schedule, operands)) {
          collective.enqueue();
          collective.enqueue();
          collective.await();
        }
        cases++;
      }
    }
    return cases;
  }
}
