package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the Khronos validation layer says of us, with synchronisation validation: nothing. */
@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class ValidationTest {
  private static final int SECONDS = 300;

  /**
   * Messages that are not about us. {@code UNASSIGNED-VkSemaphore-state-timeout}: the layer
   * (1.3.239) gave up after 10 s waiting for its own bookkeeping of a timeline, on a busy machine;
   * the wait itself had ended, and the layer calls it most likely a fault of its own.
   */
  private static final Set<String> FALSE_POSITIVES = Set.of("UNASSIGNED-VkSemaphore-state-timeout");

  @TempDir Path folder;

  @Test
  void twoHundredCasesWithoutAMessage() throws IOException, InterruptedException {
    ChildProcess child =
        ChildProcess.run(
            folder,
            ValidationRun.class,
            SECONDS,
            List.of("-D" + VulkanSettings.VALIDATION + "=true"),
            DriverCondition.id("llvmpipe"));
    assertThat(child.exitCode()).as("%s", child.lines()).isZero();
    assertThat(child.lines())
        .noneMatch(line -> line.startsWith("message ") && !isFalsePositive(line))
        .anyMatch(line -> line.matches("cases [2-9]\\d\\d"))
        .contains("layer heard");
  }

  private static boolean isFalsePositive(String line) {
    return FALSE_POSITIVES.stream().anyMatch(id -> line.startsWith("message " + id + ":"));
  }
}
