package org.allreducelab.backends.vulkan;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.numerics.Binary32;
import org.allreducelab.algorithms.numerics.ElementType;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;

/**
 * Adds f32 pairs on a device when it is first used: an all-reduce of two ranks with plain kernels,
 * whose sums tell what the device does with subnormal values.
 */
final class DenormalProbe {
  private static final Map<String, Boolean> FLUSHES = new ConcurrentHashMap<>();

  /** Subnormal operands, sums, or both. */
  private static final int[][] SUBNORMAL = {
    {0x00000001, 0x00000001},
    {0x80000001, 0x80000003},
    {0x00400000, 0x00400000},
    {0x00800001, 0x80800000},
    {0x00800000, 0x807fffff},
    {0x00800000, 0x00000001},
    {0x01000000, 0x00000001},
    {0x00000001, 0x80000000},
  };

  /** Normal operands and sums; ties to even, both ways, and cancellation. */
  private static final int[][] NORMAL = {
    {0x3f800000, 0x33800000},
    {0x3f800001, 0x33800000},
    {0x3f800000, 0x33800001},
    {0xbf800001, 0xb3800000},
    {0x3f800000, 0xbf7fffff},
    {0x7f7fffff, 0x73000000},
    {0x7f800000, 0xff7fffff},
    {0x80000000, 0x80000000},
    {0x3f800000, 0xbf800000},
  };

  private DenormalProbe() {}

  /**
   * Whether the device flushes f32 subnormals; asked once per device.
   *
   * @throws BackendException if its addition of normal values is not the IEEE one
   */
  static boolean flushes(PhysicalDevice device, QueueFamily family) {
    Boolean known = FLUSHES.get(device.id());
    if (known != null) {
      return known;
    }
    boolean found = !sumsAreRight(device, family, SUBNORMAL);
    if (!sumsAreRight(device, family, NORMAL)) {
      throw new BackendException(
          device.id() + " does not add f32 to nearest even: nothing can be exact on it");
    }
    FLUSHES.put(device.id(), found);
    return found;
  }

  private static boolean sumsAreRight(PhysicalDevice device, QueueFamily family, int[][] pairs) {
    int bytes = pairs.length * ElementType.F32.bytes();
    GroupSpec spec =
        GroupSpec.builder(device.id(), 2).precision(Precision.F32).capacityBytes(bytes).build();
    try (Group group = VulkanEngine.open(spec, plan(device, family));
        Collective collective =
            group.prepare(
                Algorithms.named("one-shot").plan(2, pairs.length), Operands.OUT_OF_PLACE)) {
      for (int rank = 0; rank < 2; rank++) {
        byte[] vector = new byte[bytes];
        for (int i = 0; i < pairs.length; i++) {
          ElementType.F32.put(vector, i, pairs[i][rank]);
        }
        group.write(rank, DataBuffer.SEND, vector);
      }
      collective.enqueue();
      collective.await();
      byte[] sums = new byte[bytes];
      group.read(0, DataBuffer.RECV, 0, sums);
      for (int i = 0; i < pairs.length; i++) {
        if (ElementType.F32.get(sums, i) != Binary32.add(pairs[i][0], pairs[i][1])) {
          return false;
        }
      }
      return true;
    }
  }

  private static GroupPlan plan(PhysicalDevice device, QueueFamily family) {
    String why = "start-up probe";
    DevicePlan plan = new DevicePlan(device, family, KernelTraits.reported(device.facts(), false));
    return new GroupPlan(
        new Choices(
            new Choice<>(Placement.SINGLE_QUEUE, why),
            new Choice<>(Transport.DIRECT, why),
            new Choice<>(Sync.NATIVE, why),
            new Choice<>(Barrier.PAIRWISE, why),
            new Choice<>("native-f32", why)),
        List.of(plan, plan),
        HandleType.OPAQUE_FD);
  }
}
