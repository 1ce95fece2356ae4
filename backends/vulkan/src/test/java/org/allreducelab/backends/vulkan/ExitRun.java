package org.allreducelab.backends.vulkan;

import java.time.Duration;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;

/** A process that ends with a group open, work in flight, and a rank that never signals. */
final class ExitRun {
  static final int CODE = 42;

  private ExitRun() {}

  public static void main(String[] arguments) throws InterruptedException {
    Group group =
        new VulkanBackend()
            .open(
                GroupSpec.builder(arguments[0], 3)
                    .placement(Placement.valueOf(arguments[1]))
                    .capacityBytes(1 << 20)
                    .deadline(Duration.ofSeconds(2))
                    .faults(FaultPlan.stall(2, 1))
                    .build());
    Collective collective =
        group.prepare(Algorithms.named("ring").plan(3, 1 << 19), Operands.OUT_OF_PLACE);
    collective.enqueue();
    Thread waiting = new Thread(() -> awaitIgnoringTheEnd(group), "waits");
    waiting.setDaemon(true);
    waiting.start();
    Thread.sleep(200);
    System.exit(CODE);
  }

  private static void awaitIgnoringTheEnd(Group group) {
    try {
      group.await();
      System.out.println("nothing stopped it");
    } catch (RuntimeException e) {
      System.out.println("ended: " + e.getMessage());
    }
  }
}
