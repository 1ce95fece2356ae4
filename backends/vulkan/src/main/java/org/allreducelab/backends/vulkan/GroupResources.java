package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Transport;
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
      sites =
          closing.keep(
              switch (plan.placement()) {
                case QUEUES -> Sites.shared(plan, plan.ranks(), compiler);
                case SINGLE_QUEUE -> Sites.shared(plan, 1, compiler);
                case LOGICAL, PHYSICAL -> Sites.apart(plan, compiler);
              });
      memory =
          closing.keep(
              new GroupMemory(
                  sites, plan.choices().transport().value(), plan.memory(), spec.capacityBytes()));
      lanes = closing.keep(lanes(plan, sites));
      for (LogicalDevice device : sites.devices()) {
        transfers.add(closing.keep(new Transfers(device, deadlineNs)));
      }
      boolean faulty = faultPlan.stall() != null || faultPlan.bitFlip() != null;
      faults = faulty ? closing.keep(new FaultInjector(faultPlan, sites, memory, compiler)) : null;
      made = closing.handOver();
    }
  }

  private static Lanes lanes(GroupPlan plan, Sites sites) {
    if (plan.placement() == Placement.SINGLE_QUEUE) {
      return Lanes.single(sites);
    }
    return switch (plan.choices().sync().value()) {
      case PROXY -> Lanes.proxied(sites);
      case NATIVE -> plan.apart() ? Lanes.imported(sites) : Lanes.together(sites);
    };
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

  Transfers transfers(int deviceIndex) {
    return transfers.get(deviceIndex);
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
    made.close();
  }
}
