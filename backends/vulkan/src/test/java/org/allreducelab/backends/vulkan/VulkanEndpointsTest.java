package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("vulkan")
@RequiresDriver({})
final class VulkanEndpointsTest {
  private final VulkanBackend backend = new VulkanBackend();

  @Test
  void isFoundByTheServiceLoader() {
    assertThat(ServiceLoader.load(Backend.class).stream().map(ServiceLoader.Provider::type))
        .anyMatch(VulkanBackend.class::equals);
  }

  @Test
  void everyDeviceHasAnIdentityAndASourceForEachCapability() {
    assertThat(backend.endpoints().isEmpty()).isEqualTo(!backend.absence().isEmpty());
    for (Endpoint endpoint : backend.endpoints()) {
      assertThat(endpoint.id()).matches("vulkan:\\d+");
      assertThat(endpoint.device()).isNotBlank();
      assertThat(endpoint.driver()).containsPattern("Vulkan \\d+\\.\\d+\\.\\d+");
      assertThat(endpoint.identity()).matches("uuid [0-9a-f]{32}.*");
      assertThat(endpoint.capabilities()).isNotEmpty();
      assertThat(endpoint.capabilities()).allSatisfy(c -> assertThat(c.detail()).isNotBlank());
    }
  }
}
