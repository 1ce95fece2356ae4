package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.device.Closing;
import org.jspecify.annotations.Nullable;

/** Everything of a group that lives on devices, but its recordings. */
final class GroupResources implements AutoCloseable {
  private final Closing made;
  private final GroupPlan plan;
  private final Sites sites;
  private final GroupMemory memory;
  private final Lanes lanes;
  private final List<Transfers> transfers = new ArrayList<>();
  private final @Nullable FaultInjector faults;
  private final boolean timestamps;
  private final List<DeviceBuffer> unfilled = new ArrayList<>();

  /**
   * @param plan what was decided
   * @param spec what was asked for
   * @param deadlineNs of every host wait
   */
  GroupResources(GroupPlan plan, GroupSpec spec, long deadlineNs) {
    this.plan = plan;
    timestamps = spec.timestamps();
    FaultPlan faultPlan = spec.faults();
    GlslCompiler compiler = new GlslCompiler(SpirvCache.ofUser());
    try (Closing closing = new Closing()) {
      sites = closing.keep(Sites.of(plan, compiler));
      FaultPlan.Refusal refusal = faultPlan.refusal();
      if (refusal != null) {
        sites.inject(new CallFaults(refusal));
      }
      try {
        memory =
            closing.keep(
                new GroupMemory(
                    sites,
                    plan.choices().transport().value(),
                    plan.memory(),
                    spec.capacityBytes()));
        lanes = closing.keep(Lanes.of(plan, sites, faultPlan.proxyDeath()));
        for (LogicalDevice device : sites.devices()) {
          transfers.add(closing.keep(new Transfers(device, deadlineNs)));
        }
        faults =
            faultPlan.stall() == null && faultPlan.bitFlip() == null
                ? null
                : closing.keep(new FaultInjector(faultPlan, sites, memory, compiler));
      } catch (DriverException e) {
        sites.failed(e);
        throw e;
      }
      made = closing.handOver();
    }
  }

  Sites sites() {
    return sites;
  }

  GroupMemory memory() {
    return memory;
  }

  Lanes lanes() {
    return lanes;
  }

  /** Whether no copy to or from the host is under way; waits for that. */
  boolean transfersIdle(long timeoutNs) {
    long startNs = System.nanoTime();
    return transfers.stream().allMatch(t -> t.idle(timeoutNs - (System.nanoTime() - startNs)));
  }

  Transfers transfers(int deviceIndex) {
    return transfers.get(deviceIndex);
  }

  /**
   * Memory of a site's device that holds these bytes; the caller's to close.
   *
   * @throws BackendException if the copy fails or does not end in time; it may still write then, so
   *     its memory is freed with the group
   */
  DeviceBuffer filled(Site site, byte[] bytes) {
    DeviceBuffer made = DeviceBuffer.local(site.device(), bytes.length);
    try {
      transfers(site.deviceIndex()).write(site.queue(), made, 0, bytes);
      return made;
    } catch (RuntimeException e) {
      unfilled.add(made);
      throw e;
    }
  }

  @Nullable FaultInjector faults() {
    return faults;
  }

  /** Whether all ranks' work goes into one command buffer. */
  boolean merges() {
    return plan.placement() == Placement.SINGLE_QUEUE && faults == null;
  }

  /** Whether submissions are timed by their devices. */
  boolean timestamps() {
    return timestamps;
  }

  boolean throughHost() {
    return plan.choices().transport().value() == Transport.STAGED_HOST;
  }

  @Override
  public void close() {
    unfilled.forEach(DeviceBuffer::close);
    unfilled.clear();
    made.close();
  }
}
