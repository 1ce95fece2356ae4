package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Choices;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SharedMemory;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.WaitCosts;
import org.junit.jupiter.api.Test;

/** What is forced is had, or refused with what is missing. */
class SelectionForcedTest {
  private static final SomeDevice CAPABLE = SomeDevice.capable("driver", "gpu");

  private static Choices choices(GroupSpec.Builder spec, SomeDevice... devices) {
    List<PhysicalDevice> known =
        IntStream.range(0, devices.length).mapToObj(i -> devices[i].as("vulkan:" + i)).toList();
    return Selection.plan(spec.build(), known, new OnPaper(new WaitCosts(1, 1, 1))).choices();
  }

  private static GroupSpec.Builder two() {
    return GroupSpec.builder("vulkan:0", 2);
  }

  @Test
  void theQueueFamilyIsToldWithItsReason() {
    assertThat(choices(two(), CAPABLE).queueFamily())
        .isEqualTo(new Choice<>("0", "computes only: no time slices with graphics"));
    assertThat(choices(two().queueFamily(0), CAPABLE).queueFamily())
        .isEqualTo(new Choice<>("0", "forced"));
  }

  @Test
  void aQueueFamilyThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> choices(two().queueFamily(3), CAPABLE))
        .isInstanceOf(UnavailableException.class)
        .hasMessageStartingWith("queue family 3 of vulkan:0 does not compute; its families: [0: ");
  }

  @Test
  void memoryIsAChoiceWhereDevicesShareIt() {
    assertThat(choices(two().placement(Placement.LOGICAL), CAPABLE).memory())
        .isEqualTo(new Choice<>(SharedMemory.OPAQUE_FD, "exportable and importable"));
    assertThat(choices(two().placement(Placement.QUEUES), CAPABLE).memory()).isNull();
    assertThat(
            choices(two().placement(Placement.LOGICAL).transport(Transport.STAGED_HOST), CAPABLE)
                .memory())
        .isNull();
  }

  @Test
  void forcedMemoryBringsDevicesApartAndDirect() {
    SomeDevice both = CAPABLE.withDmaBuf(SomeDevice.YES);
    for (SharedMemory memory : SharedMemory.values()) {
      Choices choices = choices(two().memory(memory), both);

      assertThat(choices.memory()).isEqualTo(new Choice<>(memory, "forced"));
      assertThat(choices.placement().value()).isEqualTo(Placement.LOGICAL);
      assertThat(choices.transport().value()).isEqualTo(Transport.DIRECT);
    }
  }

  /** Without it these devices would go through host memory. */
  @Test
  void forcedMemoryAcrossDevicesIsLabelled() {
    Choices choices =
        choices(
            GroupSpec.builder(List.of("vulkan:0", "vulkan:1")).memory(SharedMemory.OPAQUE_FD),
            CAPABLE,
            CAPABLE);

    assertThat(choices.transport().value()).isEqualTo(Transport.DIRECT);
    assertThat(choices.transport().reason()).contains("outside the Vulkan specification");
  }

  @Test
  void memoryThatADeviceLacksIsRefused() {
    assertThatThrownBy(() -> choices(two().memory(SharedMemory.DMA_BUF), CAPABLE))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining(
            "needs the capability memory-dma-buf, which vulkan:0 (on paper) lacks");
  }

  @Test
  void memoryThatNothingWouldUseIsRefused() {
    assertThatThrownBy(
            () ->
                choices(two().memory(SharedMemory.OPAQUE_FD).placement(Placement.QUEUES), CAPABLE))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("use placement logical or physical");
    assertThatThrownBy(
            () ->
                choices(
                    two().memory(SharedMemory.OPAQUE_FD).transport(Transport.STAGED_HOST), CAPABLE))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("staged-host goes through host memory");
  }

  @Test
  void ranksOfADeviceHaveAQueueEachUnlessForced() {
    assertThat(choices(two().placement(Placement.QUEUES), CAPABLE).queues())
        .isEqualTo(new Choice<>("2", "one for each rank, taking turns on the only one"));
    Choices shared = choices(GroupSpec.builder("vulkan:0", 6).queues(1), CAPABLE);
    assertThat(shared.queues()).isEqualTo(new Choice<>("1", "forced"));
    assertThat(shared.placement().value()).isEqualTo(Placement.QUEUES);
    assertThat(choices(two().placement(Placement.LOGICAL), CAPABLE).queues()).isNull();
    assertThat(choices(two().placement(Placement.SINGLE_QUEUE), CAPABLE).queues()).isNull();
  }

  /** Two queues have no round in which a relay saves a wait, whatever a wait costs. */
  @Test
  void theBarrierFollowsFromTheQueuesThatWait() {
    GroupSpec.Builder eight = GroupSpec.builder("vulkan:0", 8).placement(Placement.QUEUES);

    assertThat(choices(eight, CAPABLE).barrier().value()).isEqualTo(Barrier.RELAY);
    assertThat(choices(GroupSpec.builder("vulkan:0", 8).queues(2), CAPABLE).barrier())
        .isEqualTo(new Choice<>(Barrier.PAIRWISE, "ranks on two queues wait as often either way"));
    assertThat(choices(GroupSpec.builder("vulkan:0", 8).queues(1), CAPABLE).barrier())
        .isEqualTo(new Choice<>(Barrier.PAIRWISE, "nobody waits on a single queue"));
  }

  @Test
  void queuesThatNobodySharesAreRefused() {
    assertThatThrownBy(() -> choices(two().queues(2).placement(Placement.LOGICAL), CAPABLE))
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            "queues 2 is for ranks that share a logical device, but with placement logical none"
                + " do");
    assertThatThrownBy(() -> choices(two().queues(1).placement(Placement.SINGLE_QUEUE), CAPABLE))
        .isInstanceOf(UnavailableException.class)
        .hasMessageEndingWith("with placement single-queue they have one queue");
  }

  /** A sweep over numbers of ranks may have one with a device for each. */
  @Test
  void queuesAreTheMostThereMayBe() {
    GroupSpec.Builder apart = GroupSpec.builder(List.of("vulkan:0", "vulkan:1")).queues(2);

    assertThat(choices(apart, CAPABLE, CAPABLE).queues()).isNull();
    assertThat(choices(GroupSpec.builder("vulkan:0", 1).queues(2), CAPABLE).queues())
        .isEqualTo(new Choice<>("1", "forced"));
  }

  @Test
  void ranksOfOnePhysicalDeviceAmongSeveralShareALogicalOne() {
    List<PhysicalDevice> known = List.of(CAPABLE.as("vulkan:0"), CAPABLE.as("vulkan:1"));
    GroupSpec inTurn =
        GroupSpec.builder(List.of("vulkan:0", "vulkan:1", "vulkan:0", "vulkan:1", "vulkan:0"))
            .build();

    GroupPlan plan = Selection.plan(inTurn, known, new OnPaper(new WaitCosts(1, 1, 1)));

    assertThat(plan.layout().ranksOfDevices()).containsExactly(List.of(0, 2, 4), List.of(1, 3));
    assertThat(plan.layout().streams()).isEqualTo(5);
    assertThat(plan.choices().queues())
        .isEqualTo(new Choice<>("3", "one for each rank, taking turns on the only one"));
  }
}
