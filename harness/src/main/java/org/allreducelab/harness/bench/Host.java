package org.allreducelab.harness.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

  /**
   * @param checkout the working tree the lab runs in, or null if it runs from none
   */
  static LabBuild lab(@Nullable Path checkout) {
    String version = Host.class.getPackage().getImplementationVersion();
    String commit = null;
    Boolean dirty = null;
    if (checkout != null && Files.exists(checkout.resolve(".git"))) {
      commit = git(checkout, "rev-parse", "HEAD");
      String changes = git(checkout, "status", "--porcelain", "--untracked-files=no");
      dirty = changes == null ? null : !changes.isEmpty();
    }
    return new LabBuild(version == null ? "development" : version, commit, dirty);
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

  /** Standard output of a git command, or null where there is no git or it fails. */
  private static @Nullable String git(Path checkout, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", checkout.toString()));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0 ? out : null;
    } catch (IOException noGit) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
