package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.allreducelab.backends.Barrier;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.WaitCosts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SelectionTest {
  private static final Sharing NOTHING_SHARED = new ExportedMemory(List.of());
  private static final HandleTypes NO_EXPORT = HandleTypes.failed("EXPORT_TYPES", -30);
  private static final HandleTypes OPAQUE_FD = HandleTypes.listed("SOME_TYPES", List.of(0x2055));
  private static final HandleTypes SYNC_FD = HandleTypes.listed("IMPORT_TYPES", List.of(0x2056));

  private static Device device(String id, DeviceFacts.Type type, String obstacle) {
    return device(id, type, obstacle, NO_EXPORT, OPAQUE_FD);
  }

  private static Device device(
      String id,
      DeviceFacts.Type type,
      String obstacle,
      HandleTypes semaphoreExport,
      HandleTypes semaphoreImport) {
    HandleTypes memory = HandleTypes.listed("MEMORY_TYPES", List.of(0x2060));
    ExternalHandles external = new ExternalHandles(semaphoreExport, semaphoreImport, memory);
    return PaperDevice.of(id, type, 300, "", external, obstacle);
  }

  private static Device gpu(String id) {
    return device(id, DeviceFacts.Type.DISCRETE, "");
  }

  private static GroupPlan plan(GroupSpec.Builder spec, Device... devices) {
    return Selection.plan(spec.build(), List.of(devices), OnPaper.usual(), NOTHING_SHARED);
  }

  private static GroupSpec.Builder spec(String... ids) {
    return GroupSpec.builder(List.of(ids));
  }

  @Test
  void oneDeviceHasOneContextWithAQueueForEachRank() {
    GroupPlan plan = plan(spec("opencl:0", "opencl:0"), gpu("opencl:0"), gpu("opencl:0"));
    assertThat(plan.together()).isTrue();
    assertThat(plan.choices().placement().value()).isEqualTo(Placement.QUEUES);
    assertThat(plan.choices().transport().value()).isEqualTo(Transport.DIRECT);
    assertThat(plan.choices().sync().value()).isEqualTo(Sync.NATIVE);
    assertThat(plan.choices().barrier())
        .isEqualTo(new Choice<>(Barrier.PAIRWISE, "two ranks wait as often either way"));
    assertThat(plan.choices().kernels().value()).isEqualTo("native-f32");
  }

  @Test
  void severalDevicesShareTheHostOnly() {
    GroupPlan plan = plan(spec("opencl:0", "opencl:1"), gpu("opencl:0"), gpu("opencl:1"));
    assertThat(plan.together()).isFalse();
    assertThat(plan.choices().placement().value()).isEqualTo(Placement.PHYSICAL);
    assertThat(plan.choices().transport().value()).isEqualTo(Transport.STAGED_HOST);
    assertThat(plan.choices().sync().value()).isEqualTo(Sync.PROXY);
    assertThat(plan.choices().barrier().value()).isEqualTo(Barrier.PAIRWISE);
    assertThat(plan.choices().barrier().reason()).contains("a load of the host");
  }

  private static Choice<Barrier> barrier(
      DeviceFacts.Type type, @Nullable Placement placement, @Nullable WaitCosts costs) {
    List<String> ids = Collections.nCopies(8, "opencl:0");
    return Selection.plan(
            GroupSpec.builder(ids).placement(placement).build(),
            Collections.nCopies(8, device("opencl:0", type, "")),
            new OnPaper(costs, Map.of()),
            NOTHING_SHARED)
        .choices()
        .barrier();
  }

  @Test
  void theBarrierFollowsFromWhatWaitsCost() {
    DeviceFacts.Type gpu = DeviceFacts.Type.DISCRETE;
    assertThat(barrier(gpu, null, OnPaper.SLOW_WAITS)).isEqualTo(OnPaper.SLOW_WAITS.barrier(8));
    WaitCosts slowHop = new WaitCosts(0, 0.1, 17);
    assertThat(barrier(gpu, null, slowHop).value()).isEqualTo(Barrier.PAIRWISE);
    assertThat(barrier(gpu, Placement.SINGLE_QUEUE, null).reason()).contains("nobody waits");
    assertThat(barrier(gpu, Placement.LOGICAL, null).value()).isEqualTo(Barrier.PAIRWISE);
    String guessed = "guessed, since waits could not be measured: no end within 2 s";
    assertThat(barrier(gpu, null, null)).isEqualTo(new Choice<>(Barrier.RELAY, guessed));
    assertThat(barrier(DeviceFacts.Type.CPU, null, null))
        .isEqualTo(new Choice<>(Barrier.PAIRWISE, guessed));
  }

  @Test
  void slotsArePinnedUnlessADriverRefuses() {
    GroupSpec.Builder spec = spec("opencl:0", "opencl:1");
    GroupPlan pinned = plan(spec, gpu("opencl:0"), gpu("opencl:1"));
    assertThat(pinned.slots()).containsExactly(SlotMemory.PINNED, SlotMemory.PINNED);
    assertThat(pinned.choices().transport().reason())
        .isEqualTo("contexts share no memory; slots in memory that the drivers pin");
    GroupPlan mixed =
        Selection.plan(
            spec.transport(Transport.STAGED_HOST).build(),
            List.of(gpu("opencl:0"), gpu("opencl:1")),
            OnPaper.pageable("opencl:1", "clEnqueueMapBuffer gave CL_MAP_FAILURE on opencl:1"),
            NOTHING_SHARED);
    assertThat(mixed.slots()).containsExactly(SlotMemory.PINNED, SlotMemory.PAGEABLE);
    assertThat(mixed.choices().transport().reason())
        .isEqualTo(
            "forced; slots in pageable memory, since pinned memory failed: clEnqueueMapBuffer gave"
                + " CL_MAP_FAILURE on opencl:1");
  }

  @Test
  void whatIsForcedAndCannotBeIsAnErrorThatSaysWhatWouldBeRight() {
    Device gpu = gpu("opencl:0");
    assertThatThrownBy(
            () ->
                plan(
                    spec("opencl:0", "opencl:0")
                        .placement(Placement.LOGICAL)
                        .transport(Transport.DIRECT),
                    gpu,
                    gpu))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("use placement queues");
    assertThatThrownBy(
            () ->
                plan(
                    spec("opencl:0", "opencl:0").placement(Placement.LOGICAL).sync(Sync.NATIVE),
                    gpu,
                    gpu))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("one context");
    assertThatThrownBy(() -> plan(spec("opencl:0", "opencl:0").sync(Sync.PROXY), gpu, gpu))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("placement logical");
    assertThatThrownBy(
            () ->
                plan(
                    spec("opencl:0", "opencl:1").placement(Placement.QUEUES), gpu, gpu("opencl:1")))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("one device");
  }

  private static String refusalOfNative(HandleTypes export, HandleTypes imported) {
    Device device = device("opencl:0", DeviceFacts.Type.DISCRETE, "", export, imported);
    GroupSpec.Builder spec =
        spec("opencl:0", "opencl:0").placement(Placement.LOGICAL).sync(Sync.NATIVE);
    try {
      plan(spec, device, device);
      throw new AssertionError("not refused");
    } catch (UnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void nativeSyncBetweenContextsIsRefusedWithWhatTheDriverAnswers() {
    assertThat(refusalOfNative(NO_EXPORT, OPAQUE_FD))
        .isEqualTo(
            "sync native needs all ranks in one context, since events do not reach beyond it:"
                + " opencl:0 (a device) exports no semaphores: EXPORT_TYPES gives CL_INVALID_VALUE;"
                + " use placement queues or single-queue, or sync proxy");
    assertThat(refusalOfNative(OPAQUE_FD, SYNC_FD))
        .contains("opencl:0 (a device) imports no semaphores: IMPORT_TYPES lists 0x2056;");
    assertThat(refusalOfNative(OPAQUE_FD, HandleTypes.listed("IMPORT_TYPES", List.of())))
        .contains("imports no semaphores: IMPORT_TYPES lists nothing;");
    assertThat(refusalOfNative(HandleTypes.without("cl_khr_x", "EXPORT_TYPES"), OPAQUE_FD))
        .contains("exports no semaphores: cl_khr_x is not among the device's extensions;");
    assertThat(refusalOfNative(OPAQUE_FD, OPAQUE_FD)).contains("which this backend does not use;");
  }

  private static Choice<Transport> direct(Sharing sharing, Device... devices) {
    GroupSpec spec =
        GroupSpec.builder(Stream.of(devices).map(Device::id).toList())
            .placement(devices[0].equals(devices[1]) ? Placement.LOGICAL : Placement.PHYSICAL)
            .transport(Transport.DIRECT)
            .build();
    return Selection.plan(spec, List.of(devices), OnPaper.usual(), sharing).choices().transport();
  }

  @Test
  void directBetweenContextsNeedsMemoryThatTheyShare() {
    Device cpu = device("opencl:0", DeviceFacts.Type.CPU, "");
    assertThat(direct(new HostBlocks(), cpu, cpu))
        .isEqualTo(new Choice<>(Transport.DIRECT, "forced; in memory of the host"));
    assertThatThrownBy(() -> direct(new HostBlocks(), gpu("opencl:0"), gpu("opencl:0")))
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            "transport direct needs all ranks in one context, or memory that their contexts share:"
                + " opencl:0 (a device) is no processor; use placement queues or single-queue, or"
                + " transport staged-host");
    assertThatThrownBy(
            () -> direct(new HostBlocks(), cpu, device("opencl:1", DeviceFacts.Type.CPU, "")))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("share: a device does not import another one's;");
  }

  /** What is not asked for and no text promises is not chosen. */
  @Test
  void directBetweenContextsIsNeverTheLabsOwnChoice() {
    Device cpu = device("opencl:0", DeviceFacts.Type.CPU, "");
    GroupSpec spec = spec("opencl:0", "opencl:0").placement(Placement.LOGICAL).build();
    GroupPlan plan = Selection.plan(spec, List.of(cpu, cpu), OnPaper.usual(), new HostBlocks());
    assertThat(plan.choices().transport().value()).isEqualTo(Transport.STAGED_HOST);
  }

  @Test
  void aDeviceWithAnObstacleIsRefusedWithIt() {
    Device old = device("opencl:0", DeviceFacts.Type.OTHER, "OpenCL 1.2 is needed, it has 1.1");
    assertThatThrownBy(() -> plan(spec("opencl:0"), old))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("opencl:0 (a device): OpenCL 1.2 is needed, it has 1.1");
  }
}
