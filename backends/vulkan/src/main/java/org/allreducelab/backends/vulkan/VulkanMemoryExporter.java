package org.allreducelab.backends.vulkan;

import java.util.Optional;
import org.allreducelab.backends.MemoryExporter;
import org.allreducelab.backends.UnavailableException;

/** Memory of Vulkan devices, as opaque file descriptors. */
public final class VulkanMemoryExporter implements MemoryExporter {
  @Override
  public String api() {
    return "Vulkan";
  }

  @Override
  public String obstacle(String deviceUuid) {
    try {
      PhysicalDevice device = find(deviceUuid);
      DeviceFacts facts = device.facts();
      if (!facts.obstacle().isEmpty()) {
        return device.id() + ": " + facts.obstacle();
      }
      Sharing memory = facts.opaqueFdMemory();
      if (!memory.exportable()) {
        return device.id() + ": " + memory.detail();
      }
      return memory.dedicated()
          ? device.id() + ": its memory can be imported for one buffer of Vulkan only"
          : "";
    } catch (UnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public Session open(String deviceUuid) {
    return new ExportSession(find(deviceUuid));
  }

  private static PhysicalDevice find(String deviceUuid) {
    Optional<PhysicalDevice> found =
        SharedInstance.get().devices().stream()
            .filter(device -> device.facts().deviceUuid().equals(deviceUuid))
            .findFirst();
    return found.orElseThrow(
        () -> new UnavailableException("no Vulkan device has the uuid " + deviceUuid));
  }
}
