package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.Transport;
import org.allreducelab.backends.probe.Block;
import org.allreducelab.backends.probe.Claim;
import org.allreducelab.backends.probe.ProbeFinding;
import org.allreducelab.backends.probe.ProbeMode;
import org.allreducelab.backends.probe.ProbeVerdict;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class LavapipePairProbeTest extends PairProbeTest {
  @Override
  List<String> devices() {
    return List.of(DriverCondition.id("llvmpipe"));
  }

  @Test
  void aRefusalIsAFindingWithTheDriversOwnName() {
    String lavapipe = DriverCondition.id("llvmpipe");
    ProbeMode mode =
        new ProbeMode(
            Transport.DIRECT, "opaque-fd", Sync.PROXY, Claim.CLAIMED, "as if it were claimed");
    // More memory than any machine has.
    ProbeFinding finding =
        PROBE.run(lavapipe, lavapipe, mode, List.of(new Block(1L << 45, 0)), progress);
    assertThat(finding.verdict()).isEqualTo(ProbeVerdict.REFUSED);
    assertThat(finding.code()).startsWith("VK_ERROR_OUT_OF_");
    assertThat(finding.detail()).startsWith("vk").contains(" on " + lavapipe);
  }
}
