package org.allreducelab.backends.vulkan;

import java.time.Duration;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;

/** A process that ends while its devices still work on what was due long before. */
final class OverdueRun {
  static final int CODE = 43;
  private static final int COUNT = 4_000_000;
  private static final int IN_A_ROW = 256;

  private OverdueRun() {}

  public static void main(String[] arguments) {
    DriverShutdown.promise();
    try {
      allReduce(arguments[0]);
    } catch (BackendException e) {
      System.out.println("not closed: " + e.getMessage());
    }
    DriverShutdown.run();
    DriverShutdown.exit(CODE);
  }

  private static void allReduce(String device) {
    GroupSpec spec =
        GroupSpec.builder(device, 2)
            .placement(Placement.LOGICAL)
            .capacityBytes(2L * COUNT)
            .deadline(Duration.ofMillis(100))
            .build();
    try (Group group = new VulkanBackend().open(spec)) {
      Collective collective =
          group.prepare(Algorithms.named("ring").plan(2, COUNT), Operands.OUT_OF_PLACE, IN_A_ROW);
      collective.enqueue();
      await(group);
    }
  }

  private static void await(Group group) {
    try {
      group.await();
    } catch (BackendException e) {
      System.out.println("overdue: " + e.getMessage());
    }
  }
}
