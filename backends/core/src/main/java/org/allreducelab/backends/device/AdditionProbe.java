package org.allreducelab.backends.device;

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
 * whose sums tell what the device does with subnormal values, roundings and NaNs.
 */
public final class AdditionProbe {
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

  /** Normal operands and sums: ties to even, both ways, cancellation, overflow, Inf and NaN. */
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
    {0x7f7fffff, 0x7f7fffff},
    {0x7f800000, 0xff800000},
    {0x7f812345, 0x3f800000},
    {0x3f800000, 0xffc00001},
  };

  private AdditionProbe() {}

  /** Opens a group with plain kernels. */
  public interface Opener {
    Group open(GroupSpec spec, Choices choices);
  }

  /**
   * Whether the device flushes f32 subnormals; asked once per device.
   *
   * @param endpoint the device's id
   * @throws BackendException if its addition of other values is not the IEEE one
   */
  public static boolean flushes(String endpoint, Opener plain) {
    Boolean known = FLUSHES.get(endpoint);
    if (known != null) {
      return known;
    }
    boolean found = !sumsAreRight(endpoint, plain, SUBNORMAL);
    if (!sumsAreRight(endpoint, plain, NORMAL)) {
      throw new BackendException(
          endpoint + " does not add f32 to nearest even: nothing can be exact on it");
    }
    FLUSHES.put(endpoint, found);
    return found;
  }

  private static boolean sumsAreRight(String endpoint, Opener plain, int[][] pairs) {
    int bytes = pairs.length * ElementType.F32.bytes();
    GroupSpec spec =
        GroupSpec.builder(endpoint, 2).precision(Precision.F32).capacityBytes(bytes).build();
    try (Group group = plain.open(spec, choices());
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

  private static Choices choices() {
    String why = "start-up probe";
    return new Choices(
        new Choice<>(Placement.SINGLE_QUEUE, why),
        new Choice<>(Transport.DIRECT, why),
        new Choice<>(Sync.NATIVE, why),
        new Choice<>(Barrier.PAIRWISE, why),
        new Choice<>("native-f32", why));
  }
}
