package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever fails gives its own error in time, leaves nothing behind, and the process goes on: with
 * a new group, and to its end.
 */
@Tag("vulkan")
@RequiresDriver({"llvmpipe", "SwiftShader"})
final class FaultTest {
  private static final int SECONDS = 300;

  /** A deadline, another for the teardown, and what a busy machine adds. */
  private static final long MOST_MS = 2 * FaultRun.DEADLINE_MS + 10_000;

  private static final Pattern LINE =
      Pattern.compile(
          "\\S+ \\S+ (.+?): (Deadline|Driver|Backend)Exception: (.+)"
              + " \\| EXACT after it, live \\{}, (\\d+) ms");

  @TempDir Path folder;

  private void everyFault(List<String> expected, String... drivers)
      throws IOException, InterruptedException {
    String[] ids = Stream.of(drivers).map(DriverCondition::id).toArray(String[]::new);
    ChildProcess child = ChildProcess.run(folder, FaultRun.class, SECONDS, List.of(), ids);
    assertThat(child.exitCode()).as("%s", child.lines()).isEqualTo(FaultRun.CODE);
    for (String line : child.lines()) {
      Matcher matcher = LINE.matcher(line);
      assertThat(matcher.matches()).as(line).isTrue();
      assertThat(line).doesNotContain("SUPPRESSED");
      assertThat(Long.parseLong(matcher.group(4))).as(line).isLessThan(MOST_MS);
    }
    for (String start : expected) {
      assertThat(child.lines()).as(start).anyMatch(line -> line.startsWith(start));
    }
  }

  private static final List<String> OF_ONE_DEVICE =
      List.of(
          "queues direct rank 1 stops: DeadlineException: deadline of 500 ms passed: rank 1",
          "logical direct proxy 2 ends: BackendException: the proxy of rank 2 ended: the fault",
          "queues direct no slots: BackendException: no staging memory: ",
          "logical direct vkAllocateMemory 0 VK_ERROR_OUT_OF_DEVICE_MEMORY: DriverException: vkAll",
          "logical direct vkAllocateMemory 9 VK_ERROR_INVALID_EXTERNAL_HANDLE: DriverException: vk",
          "logical direct vkGetMemoryFdKHR 5 VK_ERROR_TOO_MANY_OBJECTS: DriverException: vkGetMem",
          "logical staged-host aligned_alloc 2 VK_ERROR_OUT_OF_HOST_MEMORY: BackendException: no h",
          "logical staged-host vkGetMemoryHostPointerPropertiesEXT 8 VK_ERROR_INVALID_EXTERNAL_H",
          "logical direct submit 2 lost: DriverException: vkQueueSubmit gave VK_ERROR_DEVICE_LOST",
          "queues direct copy lost: DriverException: vkWaitSemaphores gave VK_ERROR_DEVICE_LOST",
          "queues direct await lost: DriverException: vkWaitSemaphores gave VK_ERROR_DEVICE_LOST");

  @Test
  void onLavapipe() throws IOException, InterruptedException {
    everyFault(OF_ONE_DEVICE, "llvmpipe");
  }

  @Test
  void onSwiftShader() throws IOException, InterruptedException {
    everyFault(OF_ONE_DEVICE, "SwiftShader");
  }

  @Test
  void onBothTogether() throws IOException, InterruptedException {
    everyFault(
        List.of(
            "physical staged-host proxy 0 ends: BackendException: the proxy of rank 0 ended: the",
            "physical staged-host aligned_alloc 1 ",
            "physical staged-host submit 1 lost: DriverException: vkQueueSubmit gave VK_ERROR_DEV"),
        "llvmpipe",
        "SwiftShader");
  }
}
