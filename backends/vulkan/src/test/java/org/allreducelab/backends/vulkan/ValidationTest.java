package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the Khronos validation layer says of us, with synchronisation validation: nothing. */
@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class ValidationTest {
  private static final int SECONDS = 300;

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
        .noneMatch(line -> line.startsWith("message "))
        .anyMatch(line -> line.matches("cases [2-9]\\d\\d"))
        .contains("layer heard");
  }
}
