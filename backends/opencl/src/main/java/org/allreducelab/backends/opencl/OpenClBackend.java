package org.allreducelab.backends.opencl;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.AdditionProbe;
import org.allreducelab.backends.device.DeviceGroup;
import org.allreducelab.backends.device.HostDrivenEngine;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.probe.PairProbe;
import org.jspecify.annotations.Nullable;

/** Ranks on OpenCL 1.2 devices whose f32 additions round to nearest. */
public final class OpenClBackend implements Backend {
  private static final String NAME = "opencl";

  private final Selection.Measurements measured;
  private final Sharing sharing;

  /** With the kernels that suit each device: what {@link java.util.ServiceLoader} makes. */
  public OpenClBackend() {
    this(device -> KernelTraits.of(device, flushes(device)));
  }

  OpenClBackend(Function<Device, KernelTraits> kernels) {
    this(new Measured(kernels));
  }

  OpenClBackend(Selection.Measurements measured) {
    this(measured, ExportedMemory.ofServices());
  }

  /**
   * @param sharing how contexts of a device see the same memory
   */
  OpenClBackend(Selection.Measurements measured, Sharing sharing) {
    this.measured = measured;
    this.sharing = sharing;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Endpoint> endpoints() {
    try {
      return Devices.all().stream().map(EndpointDescription::of).toList();
    } catch (UnavailableException e) {
      return List.of();
    }
  }

  @Override
  public String absence() {
    try {
      Devices.all();
      return "";
    } catch (UnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public Group open(GroupSpec spec) {
    spec.requireNoDriverModel();
    requireOwnChoices(spec);
    List<Device> devices = spec.endpoints().stream().map(Devices::named).toList();
    GroupPlan plan = Selection.plan(spec, devices, measured, sharing);
    boolean shared = !plan.together() && plan.choices().transport().value() == Transport.DIRECT;
    return open(spec, plan, shared ? new GroupBlocks(sharing, devices.get(0)) : null);
  }

  private static boolean flushes(Device device) {
    KernelTraits plain = KernelTraits.of(device, false);
    return AdditionProbe.flushes(
        device.id(),
        (spec, choices) ->
            open(
                spec,
                new GroupPlan(
                    choices,
                    List.of(device, device),
                    List.of(plain, plain),
                    List.of(SlotMemory.PAGEABLE, SlotMemory.PAGEABLE)),
                null));
  }

  /**
   * @param blocks in which ranks with contexts of their own see each other's buffers, or null
   */
  private static Group open(GroupSpec spec, GroupPlan plan, @Nullable GroupBlocks blocks) {
    if (plan.together()) {
      return new DeviceGroup<>(spec, plan.choices(), NAME, new QueueEngine(spec, plan));
    }
    CallFaults faults = CallFaults.of(spec.faults());
    return new DeviceGroup<>(
        spec,
        plan.choices(),
        NAME,
        new HostDrivenEngine(spec, rank -> open(spec, plan, rank, blocks, faults)));
  }

  private static RankDevice open(
      GroupSpec spec,
      GroupPlan plan,
      int rank,
      @Nullable GroupBlocks blocks,
      @Nullable CallFaults faults) {
    return new OpenClRank(
        rank,
        plan.ranks(),
        plan.devices().get(rank),
        plan.traits().get(rank),
        plan.slots().get(rank),
        spec.capacityBytes(),
        blocks,
        faults);
  }

  @Override
  public Optional<PairProbe> pairProbe() {
    return Optional.of(new OpenClPairProbe());
  }

  /** Slots are in memory of the JVM: other backends import it, and a driver's might be refused. */
  @Override
  public RankDevice openRank(GroupSpec spec, int rank) {
    Device device = Devices.named(spec.endpoints().get(rank));
    Selection.requireAble(device);
    return new OpenClRank(
        rank,
        spec.ranks(),
        device,
        measured.kernels(device),
        SlotMemory.PAGEABLE,
        spec.capacityBytes(),
        null,
        null);
  }
}
