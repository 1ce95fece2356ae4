package org.allreducelab.backends.cpu;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.allreducelab.backends.Capability;
import org.allreducelab.backends.Choice;
import org.allreducelab.backends.Endpoint;

/** Describes this machine as an endpoint. */
final class CpuEndpoint {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private CpuEndpoint() {}

  static Endpoint describe(int cores, Choice<LoopSet> loops) {
    String model = model(CPU_INFO);
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("cores", Integer.toString(cores));
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os) {
      properties.put("memory", (os.getTotalMemorySize() >> 20) + " MiB");
    }
    properties.put("heap", (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
    properties.put("kernels", loops.value().name());
    boolean vector = loops.value() != FoldLoops.scalar();
    return new Endpoint(
        CpuBackend.NAME,
        model,
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        model + ", " + cores + " cores",
        List.of(
            new Capability("direct", true, "all ranks share the heap"),
            new Capability("native-sync", true, "release stores and acquire loads"),
            new Capability("vector-api", vector, loops.reason())),
        properties);
  }

  /** The model name that Linux gives, or the architecture where there is none. */
  static String model(Path cpuInfo) {
    try (Stream<String> lines = Files.lines(cpuInfo)) {
      return lines
          .filter(line -> line.startsWith("model name") && line.contains(":"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .filter(name -> !name.isEmpty())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException | java.io.UncheckedIOException e) {
      return System.getProperty("os.arch");
    }
  }
}
