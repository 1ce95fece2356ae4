package org.allreducelab.backends.vulkan;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** Two drivers that share nothing but host memory, and each with itself. */
@Tag("vulkan")
@RequiresDriver({"llvmpipe", "SwiftShader"})
final class MixedPairProbeTest extends PairProbeTest {
  @Override
  List<String> devices() {
    return List.of(DriverCondition.id("llvmpipe"), DriverCondition.id("SwiftShader"));
  }
}
