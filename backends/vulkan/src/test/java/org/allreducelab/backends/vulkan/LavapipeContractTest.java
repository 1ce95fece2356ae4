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
final class LavapipeContractTest extends BackendContractTest {
  @Override
  protected Backend backend() {
    return new VulkanBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    return List.of(
        GroupSetup.on("vulkan:0", Placement.QUEUES, Transport.DIRECT, Sync.NATIVE),
        GroupSetup.on("vulkan:0", Placement.SINGLE_QUEUE, null, null),
        GroupSetup.on("vulkan:0", Placement.LOGICAL, Transport.DIRECT, Sync.PROXY),
        GroupSetup.on("vulkan:0", Placement.LOGICAL, Transport.STAGED_HOST, Sync.PROXY));
  }
}
