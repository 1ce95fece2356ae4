package org.allreducelab.backends.vulkan;

import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendContractTest;
import org.allreducelab.backends.GroupSetup;
import org.junit.jupiter.api.Tag;

/** Ranks on two different drivers in turn, which share nothing but host memory. */
@Tag("vulkan")
@RequiresDriver({"llvmpipe", "SwiftShader"})
final class MixedContractTest extends BackendContractTest {
  @Override
  protected Backend backend() {
    return new VulkanBackend();
  }

  @Override
  protected List<GroupSetup> setups() {
    List<String> devices =
        List.of(DriverCondition.id("llvmpipe"), DriverCondition.id("SwiftShader"));
    return List.of(
        new GroupSetup(
            "lavapipe and SwiftShader in turn",
            n -> IntStream.range(0, n).mapToObj(rank -> devices.get(rank % 2)).toList()),
        new GroupSetup(
                "two ranks on lavapipe, one on SwiftShader",
                n -> IntStream.range(0, n).mapToObj(rank -> devices.get(rank % 3 / 2)).toList())
            .inQueues(1));
  }
}
