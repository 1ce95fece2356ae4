package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendContractTest;
import org.allreducelab.backends.GroupSetup;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.junit.jupiter.api.Tag;

/** SwiftShader flushes f32 subnormals: exact through the soft path only. */
@Tag("vulkan")
@RequiresDriver("SwiftShader")
final class SwiftShaderContractTest extends BackendContractTest {
  @Override
  protected Backend backend() {
    return new VulkanBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    String swiftShader = DriverCondition.id("SwiftShader");
    return List.of(
        GroupSetup.on(swiftShader, Placement.QUEUES, Transport.DIRECT, Sync.NATIVE),
        GroupSetup.on(swiftShader, Placement.LOGICAL, Transport.STAGED_HOST, Sync.PROXY));
  }
}
