package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.*;
import static org.lwjgl.vulkan.VK11.VK_ERROR_INVALID_EXTERNAL_HANDLE;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.allreducelab.algorithms.Algorithms;
import org.allreducelab.algorithms.data.TestVectors;
import org.allreducelab.algorithms.numerics.Precision;
import org.allreducelab.algorithms.schedule.Schedule;
import org.allreducelab.algorithms.simulator.ReferenceSimulator;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.Collective;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.Operands;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Transport;
import org.jspecify.annotations.Nullable;

/**
 * A process that has one fault after the other, each in a group of its own, and after each a group
 * without, whose bytes must be the simulator's. Prints a line per fault:
 *
 * <pre>
 *   SETUP FAULT: CLASS of the error: its message | EXACT after it, live {}, 312 ms
 * </pre>
 *
 * <p>Ends with code {@link #CODE}, and so without a crash of a driver.
 */
final class FaultRun {
  static final int CODE = 43;
  static final long DEADLINE_MS = 500;

  private static final int RANKS = 3;
  private static final int COUNT = 1000;
  private static final int MOST_CALLS = 200;
  private static final Schedule SCHEDULE = Algorithms.named("one-shot").plan(RANKS, COUNT);

  private record Setup(Placement placement, Transport transport, @Nullable Integer queues) {
    Setup(Placement placement, Transport transport) {
      this(placement, transport, null);
    }
  }

  private static final List<Setup> ONE_DEVICE =
      List.of(
          new Setup(Placement.QUEUES, Transport.DIRECT),
          new Setup(Placement.QUEUES, Transport.STAGED_HOST, 2),
          new Setup(Placement.LOGICAL, Transport.DIRECT),
          new Setup(Placement.LOGICAL, Transport.STAGED_HOST));

  private static final List<Setup> SEVERAL_DEVICES =
      List.of(new Setup(Placement.PHYSICAL, Transport.STAGED_HOST));

  private final List<String> endpoints;
  private final Setup setup;

  private FaultRun(List<String> devices, Setup setup) {
    endpoints =
        IntStream.range(0, RANKS).mapToObj(rank -> devices.get(rank % devices.size())).toList();
    this.setup = setup;
  }

  public static void main(String[] arguments) {
    List<String> devices = List.of(arguments);
    for (Setup setup : devices.size() == 1 ? ONE_DEVICE : SEVERAL_DEVICES) {
      new FaultRun(devices, setup).all();
    }
    DriverShutdown.run();
    System.exit(CODE);
  }

  private void all() {
    requireExact();
    for (int rank = 0; rank < RANKS; rank++) {
      fault("rank " + rank + " stops", FaultPlan.stall(rank, 1));
      fault("proxy " + rank + " ends", FaultPlan.endProxy(rank, 1));
    }
    fault("no slots", FaultPlan.failAllocation(1));
    everyCall("vkAllocateMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY);
    everyCall("aligned_alloc", VK_ERROR_OUT_OF_HOST_MEMORY);
    everyCall("vkGetMemoryFdKHR", VK_ERROR_TOO_MANY_OBJECTS);
    everyCall("vkAllocateMemory", VK_ERROR_INVALID_EXTERNAL_HANDLE);
    everyCall("vkGetMemoryHostPointerPropertiesEXT", VK_ERROR_INVALID_EXTERNAL_HANDLE);
    everyCall("vkGetSemaphoreFdKHR", VK_ERROR_TOO_MANY_OBJECTS);
    everyCall("vkImportSemaphoreFdKHR", VK_ERROR_INVALID_EXTERNAL_HANDLE);
    everyCall("vkCreateSemaphore", VK_ERROR_OUT_OF_HOST_MEMORY);
    everyCall("vkCreateCommandPool", VK_ERROR_OUT_OF_HOST_MEMORY);
    everyCall("vkQueueSubmit", VK_ERROR_OUT_OF_HOST_MEMORY);
    everyCall("vkSignalSemaphore", VK_ERROR_OUT_OF_HOST_MEMORY);
    // A device is lost before anything was submitted to it: what is pending cannot be undone.
    for (int i = 0; i < logicalDevices(); i++) {
      fault("submit " + i + " lost", FaultPlan.refuse("vkQueueSubmit", i, VK_ERROR_DEVICE_LOST));
    }
    if (setup.placement() == Placement.QUEUES) {
      // Wait 0 is for the fold table's copy to the device, wait 1 that of await().
      fault("copy lost", FaultPlan.refuse("vkWaitSemaphores", 0, VK_ERROR_DEVICE_LOST));
      fault("await lost", FaultPlan.refuse("vkWaitSemaphores", 1, VK_ERROR_DEVICE_LOST));
    }
  }

  private int logicalDevices() {
    return switch (setup.placement()) {
      case QUEUES, SINGLE_QUEUE -> 1;
      case LOGICAL -> RANKS;
      case PHYSICAL -> (int) endpoints.stream().distinct().count();
    };
  }

  /** Has the first call fail, then the second, and so on until there are no more. */
  private void everyCall(String call, int code) {
    for (int i = 0; i < MOST_CALLS; i++) {
      if (!fault(call + " " + i + " " + ResultCode.name(code), FaultPlan.refuse(call, i, code))) {
        return;
      }
    }
  }

  /** Whether there was an error. */
  private boolean fault(String name, FaultPlan plan) {
    long startNs = System.nanoTime();
    String error = error(plan);
    long elapsedNs = System.nanoTime() - startNs;
    if (error.isEmpty()) {
      return false;
    }
    String live = String.valueOf(LiveObjects.snapshot());
    requireExact();
    System.out.printf(
        Locale.ROOT,
        "%s %s %s: %s | EXACT after it, live %s, %d ms%n",
        setup.placement().label(),
        setup.transport().label(),
        name,
        error,
        live,
        elapsedNs / 1_000_000);
    return true;
  }

  private GroupSpec.Builder spec() {
    return GroupSpec.builder(endpoints)
        .placement(setup.placement())
        .transport(setup.transport())
        .queues(setup.queues())
        .precision(Precision.BF16)
        .deadline(Duration.ofMillis(DEADLINE_MS))
        .capacityBytes(2L * COUNT);
  }

  private String error(FaultPlan plan) {
    try (Group group = new VulkanBackend().open(spec().faults(plan).build())) {
      Collective collective = group.prepare(SCHEDULE, Operands.IN_PLACE);
      for (int i = 0; i < 3; i++) {
        collective.enqueue();
      }
      group.await();
      return "";
    } catch (BackendException e) {
      return e.getClass().getSimpleName() + ": " + e.getMessage() + suppressed(e);
    }
  }

  private static String suppressed(BackendException e) {
    return e.getSuppressed().length == 0 ? "" : " SUPPRESSED " + List.of(e.getSuppressed());
  }

  private void requireExact() {
    byte[][] inputs = TestVectors.mixed(Precision.BF16.element(), RANKS, 5).vectors(COUNT);
    byte[][] expected = new ReferenceSimulator(SCHEDULE, Precision.BF16).run(inputs);
    try (Group group = new VulkanBackend().open(spec().deadline(Duration.ofSeconds(20)).build());
        Collective collective = group.prepare(SCHEDULE, Operands.OUT_OF_PLACE)) {
      for (int rank = 0; rank < RANKS; rank++) {
        group.write(rank, DataBuffer.SEND, inputs[rank]);
      }
      collective.enqueue();
      collective.await();
      for (int rank = 0; rank < RANKS; rank++) {
        byte[] actual = new byte[2 * COUNT];
        group.read(rank, DataBuffer.RECV, 0, actual);
        if (!java.util.Arrays.equals(actual, expected[rank])) {
          throw new AssertionError("wrong bytes on rank " + rank);
        }
      }
    }
  }
}
