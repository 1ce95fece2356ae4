package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.allreducelab.backends.CacheFolder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class PipelineCacheTest {
  @TempDir Path folder;

  private PhysicalDevice lavapipe() {
    String id = DriverCondition.id("llvmpipe");
    return SharedInstance.get().devices().stream()
        .filter(device -> device.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private void useOnce(LogicalDevice device) {
    try (PipelineCache cache =
        new PipelineCache(
            device.handle(), device.name(), device.facts().pipelines(), new CacheFolder(folder))) {
      assertThat(cache.use()).isNotZero();
    }
  }

  @Test
  void isWrittenOnceAndReadBackAndADamagedOneIsReplaced() throws Exception {
    PhysicalDevice physical = lavapipe();
    Path file = folder.resolve(physical.facts().pipelines().name());
    try (LogicalDevice device =
        new LogicalDevice(physical, physical.facts().queueFamilies().get(0), 1)) {
      useOnce(device);
      byte[] whole = Files.readAllBytes(file);
      assertThat(physical.facts().pipelines().unwrap(whole)).as("of this device").isNotNull();

      Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(0));
      useOnce(device);
      assertThat(Files.getLastModifiedTime(file).toMillis()).as("nothing new").isZero();

      Files.write(file, new byte[] {1, 2, 3});
      useOnce(device);
      assertThat(file).hasBinaryContent(whole);
    }
  }
}
