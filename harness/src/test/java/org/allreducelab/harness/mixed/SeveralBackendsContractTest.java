package org.allreducelab.harness.mixed;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.BackendContractTest;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.GroupSetup;
import org.allreducelab.backends.cpu.CpuBackend;
import org.allreducelab.backends.mixed.MixedBackend;
import org.allreducelab.backends.opencl.OpenClBackend;
import org.allreducelab.backends.vulkan.VulkanBackend;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Ranks on OpenCL (PoCL), Vulkan (lavapipe) and the CPU in turn. */
@Tag("opencl")
@Tag("vulkan")
@ExtendWith(SeveralBackendsContractTest.AllDriversHere.class)
class SeveralBackendsContractTest extends BackendContractTest {
  private static final Backend CPU = new CpuBackend();
  private static final Backend OPENCL = new OpenClBackend();
  private static final Backend VULKAN = new VulkanBackend();

  private static Optional<String> first(Backend backend, String name) {
    return backend.endpoints().stream()
        .filter(e -> e.device().startsWith(name) || e.driver().startsWith(name))
        .map(Endpoint::id)
        .findFirst();
  }

  private static List<String> devices() {
    return Stream.of(
            first(OPENCL, "Portable Computing Language"), first(VULKAN, "llvmpipe"), first(CPU, ""))
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  protected Backend backend() {
    return new MixedBackend(List.of(CPU, OPENCL, VULKAN));
  }

  @Override
  protected List<GroupSetup> setups() {
    List<String> devices = devices();
    return List.of(
        new GroupSetup(
            "opencl, vulkan and cpu in turn",
            n ->
                IntStream.range(0, n)
                    .mapToObj(rank -> devices.get(rank % devices.size()))
                    .toList()));
  }

  /** Without a driver the test does not run, and says so; with CI=true it fails. */
  static final class AllDriversHere implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (devices().size() == 3) {
        return ConditionEvaluationResult.enabled("drivers are here");
      }
      String missing =
          "SeveralBackendsContractTest: needs PoCL and lavapipe, here are %s. %s %s"
              .formatted(devices(), OPENCL.absence(), VULKAN.absence());
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException(missing + " (CI=true: they must be there)");
      }
      System.err.println("NOT TESTED " + missing);
      return ConditionEvaluationResult.disabled(missing);
    }
  }
}
