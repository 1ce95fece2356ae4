package org.allreducelab.harness.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.allreducelab.harness.cli.Revision;
import org.allreducelab.results.Jvm;
import org.allreducelab.results.LabBuild;
import org.allreducelab.results.Machine;
import org.jspecify.annotations.Nullable;

/** Facts of this machine, this JVM and this build of the lab, as a run records them. */
final class Host {
  private static final Path GOVERNOR =
      Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");

  private Host() {}

  static Machine machine() {
    var os =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    double load = os.getSystemLoadAverage();
    return new Machine(
        System.getProperty("os.name", "unknown"),
        System.getProperty("os.version", "unknown"),
        cpuModel(),
        Runtime.getRuntime().availableProcessors(),
        os.getTotalMemorySize(),
        firstLine(GOVERNOR),
        load < 0 ? null : load);
  }

  static Jvm jvm() {
    return new Jvm(
        System.getProperty("java.vm.name", "unknown"),
        System.getProperty("java.runtime.version", "unknown"),
        ForkJvm.commonFlags());
  }

  static LabBuild lab() {
    String version = Host.class.getPackage().getImplementationVersion();
    Revision revision = Revision.ofThisLab().orElse(null);
    return new LabBuild(
        version == null ? "development" : version,
        revision == null ? null : revision.commit(),
        revision == null ? null : revision.dirty());
  }

  private static String cpuModel() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch", "unknown"));
    } catch (IOException notLinux) {
      return System.getProperty("os.arch", "unknown");
    }
  }

  private static @Nullable String firstLine(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse(null);
    } catch (IOException absent) {
      return null;
    }
  }
}
