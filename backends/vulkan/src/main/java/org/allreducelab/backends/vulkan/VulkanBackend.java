package org.allreducelab.backends.vulkan;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.OwnChoice;
import org.allreducelab.backends.UnavailableException;
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
    return Set.of(OwnChoice.MEMORY, OwnChoice.QUEUE_FAMILY);
  }

  @Override
  public Group open(GroupSpec spec) {
    spec.requireNoDriverModel();
    requireOwnChoices(spec);
    GroupPlan plan = Selection.plan(spec, SharedInstance.get().devices(), new Measured());
    return VulkanEngine.open(spec, plan);
  }

  @Override
  public Optional<PairProbe> pairProbe() {
    return Optional.of(new VulkanPairProbe());
  }
}
