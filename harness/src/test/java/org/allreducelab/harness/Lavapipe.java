package org.allreducelab.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.vulkan.VulkanBackend;
import org.junit.jupiter.api.Assumptions;

/** The software device that tests of commands on Vulkan run on. */
public final class Lavapipe {
  private Lavapipe() {}

  /**
   * Its endpoint id. Where it is missing the test fails if the environment says {@code CI=true};
   * elsewhere it does not run, and a line on stderr says so.
   */
  public static String idFor(Class<?> test) {
    Optional<Endpoint> lavapipe =
        new VulkanBackend()
            .endpoints().stream().filter(e -> e.device().startsWith("llvmpipe")).findFirst();
    if (lavapipe.isEmpty()) {
      String missing = "no Vulkan device llvmpipe here. " + new VulkanBackend().absence();
      assertThat(System.getenv("CI")).as(missing).isNotEqualTo("true");
      System.err.println("NOT TESTED " + test.getSimpleName() + ": " + missing);
      Assumptions.abort(missing);
    }
    return lavapipe.orElseThrow().id();
  }
}
