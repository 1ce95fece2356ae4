package org.allreducelab.backends.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.allreducelab.backends.MemoryExporter;
import org.junit.jupiter.api.Test;

/** Why contexts share no memory, in the order in which it is found out. */
final class ExportedMemoryTest {
  private static final String UUID = "00112233445566778899aabbccddeeff";
  private static final HandleTypes NONE = HandleTypes.listed("TYPES", List.of());
  private static final HandleTypes OPAQUE_FD = HandleTypes.listed("TYPES", List.of(0x2060));

  /** An exporter that never exports. */
  private record Refusing(String api, String obstacle) implements MemoryExporter {
    @Override
    public String obstacle(String deviceUuid) {
      return obstacle + deviceUuid;
    }

    @Override
    public Session open(String deviceUuid) {
      throw new AssertionError("opened in spite of its obstacle");
    }
  }

  private static String obstacle(Device device, MemoryExporter... exporters) {
    return new ExportedMemory(List.of(exporters)).obstacle(device);
  }

  @Test
  void theDeviceMustImport() {
    assertThat(obstacle(PaperDevice.importing(NONE, 300, "uuid " + UUID)))
        .isEqualTo("opencl:0 (a device) imports no memory: TYPES lists nothing");
    assertThat(obstacle(PaperDevice.importing(OPAQUE_FD, 202, "uuid " + UUID)))
        .isEqualTo("opencl:0 (a device) imports no memory: that needs OpenCL 3.0");
  }

  @Test
  void anotherApiMustKnowItByItsUuid() {
    assertThat(obstacle(PaperDevice.importing(OPAQUE_FD, 300, "pci 0000:01:00.0")))
        .isEqualTo("opencl:0 (a device) has no uuid by which another API would know it");
    Device known = PaperDevice.importing(OPAQUE_FD, 300, "uuid " + UUID + " pci 0000:01:00.0");
    assertThat(obstacle(known)).isEqualTo("OpenCL exports none, and no other backend is here");
    assertThat(obstacle(known, new Refusing("Vulkan", "no device "), new Refusing("X", "not ")))
        .isEqualTo("Vulkan exports none: no device " + UUID + "; X exports none: not " + UUID);
  }
}
