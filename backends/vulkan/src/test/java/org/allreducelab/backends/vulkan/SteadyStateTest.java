package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.GroupSetup;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.SteadyStateContractTest;
import org.junit.jupiter.api.Tag;

@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class SteadyStateTest extends SteadyStateContractTest {
  @Override
  protected Backend backend() {
    return new VulkanBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    String lavapipe = DriverCondition.id("llvmpipe");
    return List.of(
        GroupSetup.on(lavapipe, Placement.QUEUES, null, null),
        GroupSetup.on(lavapipe, Placement.LOGICAL, null, null),
        GroupSetup.on(lavapipe, Placement.SINGLE_QUEUE, null, null));
  }
}
