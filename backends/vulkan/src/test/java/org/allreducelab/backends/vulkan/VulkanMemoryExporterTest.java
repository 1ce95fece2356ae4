package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ServiceLoader;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.MemoryExporter;
import org.allreducelab.backends.UnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.linux.UNISTD;

@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class VulkanMemoryExporterTest {
  private static final String NOBODY = "0123456789abcdef0123456789abcdef";

  private final MemoryExporter exporter =
      ServiceLoader.load(MemoryExporter.class).findFirst().orElseThrow();
  private final String lavapipe =
      Selection.find(DriverCondition.id("llvmpipe"), SharedInstance.get().devices())
          .facts()
          .deviceUuid();

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(LiveObjects.snapshot()).isEmpty();
  }

  @Test
  void everyDescriptorIsAnotherOfTheSameMemory() {
    assertThat(exporter.obstacle(lavapipe)).isEmpty();
    try (MemoryExporter.Session session = exporter.open(lavapipe);
        MemoryExporter.Memory memory = session.memory(1000)) {
      assertThat(memory.bytes()).isGreaterThanOrEqualTo(1000);
      int one = memory.descriptor();
      int other = memory.descriptor();
      assertThat(one).isNotNegative().isNotEqualTo(other);
      assertThat(UNISTD.close(null, one)).isZero();
      assertThat(UNISTD.close(null, other)).isZero();
    }
  }

  @Test
  void aSessionClosesWhatWasLeftOpen() {
    MemoryExporter.Session session = exporter.open(lavapipe);
    session.memory(1 << 20);
    session.close();
    session.close();
  }

  @Test
  void aDeviceThatIsNotHereIsAnObstacle() {
    assertThat(exporter.obstacle(NOBODY)).isEqualTo("no Vulkan device has the uuid " + NOBODY);
    assertThatThrownBy(() -> exporter.open(NOBODY)).isInstanceOf(UnavailableException.class);
  }
}
