package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendContractTest;
import org.allreducelab.backends.GroupSetup;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.api.Tag;

@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class LavapipeContractTest extends BackendContractTest {
  @Override
  protected Backend backend() {
    return new VulkanBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    String lavapipe = DriverCondition.id("llvmpipe");
    return List.of(
        GroupSetup.on(lavapipe, Placement.QUEUES, Transport.DIRECT, Sync.NATIVE),
        GroupSetup.on(lavapipe, Placement.QUEUES, Transport.DIRECT, Sync.NATIVE).inQueues(2),
        GroupSetup.on(lavapipe, Placement.QUEUES, Transport.STAGED_HOST, Sync.PROXY).inQueues(3),
        GroupSetup.on(lavapipe, Placement.SINGLE_QUEUE, null, null),
        GroupSetup.on(lavapipe, Placement.LOGICAL, Transport.DIRECT, Sync.PROXY),
        GroupSetup.on(lavapipe, Placement.LOGICAL, Transport.STAGED_HOST, Sync.PROXY));
  }
}
