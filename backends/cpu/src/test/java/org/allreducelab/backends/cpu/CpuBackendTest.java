package org.allreducelab.backends.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.allreducelab.backends.Backend;
import org.allreducelab.backends.Endpoint;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.Sync;
import org.allreducelab.backends.UnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuBackendTest {
  @Test
  void isFoundAsAService() {
    assertThat(ServiceLoader.load(Backend.class).stream().map(p -> p.get().name())).contains("cpu");
  }

  @Test
  void hasOneEndpointThatTellsWhatItIs() {
    Backend backend = new CpuBackend();
    assertThat(backend.absence()).isEmpty();
    Endpoint cpu = backend.endpoints().get(0);
    assertThat(backend.endpoints()).hasSize(1);
    assertThat(cpu.id()).isEqualTo("cpu");
    assertThat(cpu.device()).isNotBlank();
    assertThat(cpu.driver()).startsWith(System.getProperty("java.vm.name"));
    assertThat(cpu.can("vector-api")).isTrue();
    assertThat(cpu.properties()).containsKeys("cores", "memory", "heap", "kernels");
  }

  @Test
  void theModelComesFromTheKernelsList(@TempDir Path dir) throws IOException {
    Path list = dir.resolve("cpuinfo");
    Files.writeString(list, "processor\t: 0\nmodel name\t: Example 9000 @ 3 GHz\nflags\t: a b\n");
    assertThat(CpuEndpoint.model(list)).isEqualTo("Example 9000 @ 3 GHz");
    Files.writeString(list, "processor\t: 0\n");
    assertThat(CpuEndpoint.model(list)).isEqualTo(System.getProperty("os.arch"));
    assertThat(CpuEndpoint.model(dir.resolve("absent"))).isEqualTo(System.getProperty("os.arch"));
    Files.write(list, "model name: \u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(CpuEndpoint.model(list)).isEqualTo(System.getProperty("os.arch"));
  }

  @Test
  void whatIsForcedButNotThereIsNamed() {
    assertThatThrownBy(() -> open(GroupSpec.builder("cpu", 2).sync(Sync.PROXY)))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("sync proxy is not there on the cpu; it has: native");
    assertThatThrownBy(() -> open(GroupSpec.builder("cpu", 2).placement(Placement.PHYSICAL)))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("placement physical is not there on the cpu; it has: queues, single-queue");
    assertThatThrownBy(() -> open(GroupSpec.builder(List.of("cpu", "cpu:1"))))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("no endpoint 'cpu:1' here; the cpu backend has: cpu");
  }

  private static void open(GroupSpec.Builder spec) {
    new CpuBackend().open(spec.capacityBytes(64).build()).close();
  }
}
