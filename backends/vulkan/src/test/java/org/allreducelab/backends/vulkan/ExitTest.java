package org.allreducelab.backends.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.allreducelab.backends.Placement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Drivers crash at exit over what is left alive: nothing is, whatever the process was doing. */
@Tag("vulkan")
@RequiresDriver("llvmpipe")
final class ExitTest {
  private static final int SECONDS = 60;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(
      value = Placement.class,
      names = {"QUEUES", "LOGICAL", "SINGLE_QUEUE"})
  void aProcessEndsCleanlyWithWorkInFlight(Placement placement)
      throws IOException, InterruptedException {
    ChildProcess child =
        ChildProcess.run(
            folder,
            ExitRun.class,
            SECONDS,
            List.of(),
            DriverCondition.id("llvmpipe"),
            placement.name());
    assertThat(child.exitCode()).as("%s", child.lines()).isEqualTo(ExitRun.CODE);
    assertThat(child.lines()).contains("ended: the process is ending");
  }

  /** Its driver stays where it is: unloaded, it would be missed by the threads that wait in it. */
  @Test
  void aProcessEndsCleanlyWhoseDevicesStillWorkAfterTheDeadline()
      throws IOException, InterruptedException {
    ChildProcess child =
        ChildProcess.run(
            folder, OverdueRun.class, SECONDS, List.of(), DriverCondition.id("llvmpipe"));
    assertThat(child.lines())
        .anyMatch(line -> line.startsWith("overdue: deadline of 100 ms passed"));
    assertThat(child.lines())
        .anyMatch(line -> line.startsWith("not closed: devices of the group still work"));
    assertThat(child.exitCode()).as("%s", child.lines()).isEqualTo(OverdueRun.CODE);
  }
}
