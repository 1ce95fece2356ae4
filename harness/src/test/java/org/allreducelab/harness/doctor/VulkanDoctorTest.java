package org.allreducelab.harness.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.allreducelab.harness.Lavapipe;
import org.allreducelab.harness.cli.Inventory;
import org.allreducelab.harness.cli.LabContext;
import org.allreducelab.harness.probes.ProbeCache;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command, with real children and the whole sweep, on a software driver. */
@Tag("vulkan")
class VulkanDoctorTest {
  /** What a whole run on lavapipe may take, with room for a machine that does other things. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path cache;

  @Test
  void lavapipeKeepsItsClaims() {
    String lavapipe = Lavapipe.idFor(getClass());
    LabContext context = new LabContext(Inventory::load, false, new ProbeCache(cache));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    long startNs = System.nanoTime();
    int code =
        new CommandLine(new DoctorCommand(context))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute("--devices", lavapipe);
    assertThat(System.nanoTime() - startNs).isLessThan(LIMIT.toNanos());
    assertThat(code).as("%s%s", out, err).isZero();
    assertThat(out.toString())
        .containsPattern("opaque-fd +direct +not claimed +ok \\d+\\.\\d/")
        .containsPattern("host +staged-host +not claimed +ok (\\d+\\.\\d/){2}")
        .contains("all 2 claimed modes work (");
  }
}
