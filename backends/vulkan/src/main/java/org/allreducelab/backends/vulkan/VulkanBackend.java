package org.allreducelab.backends.vulkan;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.OwnChoice;
import org.allreducelab.backends.UnavailableException;
import org.allreducelab.backends.device.RankDevice;
import org.allreducelab.backends.probe.PairProbe;

/**
 * Ranks on Vulkan 1.2 devices that have timeline semaphores and buffer device addresses (every 1.3
 * device does).
 */
public final class VulkanBackend implements Backend {

  @Override
  public String name() {
    return "vulkan";
  }

  @Override
  public List<Endpoint> endpoints() {
    try {
      return SharedInstance.get().devices().stream().map(EndpointDescription::of).toList();
    } catch (UnavailableException e) {
      return List.of();
    }
  }

  @Override
  public String absence() {
    try {
      SharedInstance.get();
      return "";
    } catch (UnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public Set<OwnChoice> ownChoices() {
    return EnumSet.allOf(OwnChoice.class);
  }

  @Override
  public Group open(GroupSpec spec) {
    spec.requireNoDriverModel();
    requireOwnChoices(spec);
    GroupPlan plan = Selection.plan(spec, SharedInstance.get().devices(), new Measured());
    return VulkanEngine.open(spec, plan);
  }

  @Override
  public RankDevice openRank(GroupSpec spec, int rank) {
    PhysicalDevice device =
        Selection.find(spec.endpoints().get(rank), SharedInstance.get().devices());
    if (!device.facts().hostMemory().importable()) {
      throw new UnavailableException(
          "a rank of a mixed group needs the capability host-import, which "
              + device.id()
              + " lacks: "
              + device.facts().hostMemory().detail());
    }
    QueueFamily family = QueueChoices.family(device, spec.queueFamily());
    DevicePlan plan = new DevicePlan(device, family, new Measured().traits(device, family));
    return new VulkanRank(rank, spec.ranks(), plan, spec.capacityBytes(), spec.deadlineNs());
  }

  @Override
  public Optional<PairProbe> pairProbe() {
    return Optional.of(new VulkanPairProbe());
  }
}
