package org.allreducelab.backends.opencl;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.allreducelab.backends.MemoryExporter;
import org.allreducelab.backends.device.Closing;
import org.lwjgl.opencl.CL;
import org.lwjgl.system.linux.UNISTD;

/**
 * Memory that another API exports, imported into each context: OpenCL has no call that exports any.
 *
 * <p>What is relied on: cl_khr_external_memory_opaque_fd, for a descriptor of the same device and
 * driver, and that a context which acquires the memory sees what was written before another one
 * released it, where the host has waited for that in between. What no text says is that several
 * contexts may have it acquired at the same time, as ranks that read a peer's buffer have: so it is
 * used where that is asked for, and never by itself.
 */
final class ExportedMemory implements Sharing {
  /** Of OpenCL 3.0, as the call that imports. */
  private static final int IMPORTS_FROM = 300;

  private final List<MemoryExporter> exporters;

  ExportedMemory(List<MemoryExporter> exporters) {
    this.exporters = List.copyOf(exporters);
  }

  /** With the exporters that are here. */
  static ExportedMemory ofServices() {
    return new ExportedMemory(
        ServiceLoader.load(MemoryExporter.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  @Override
  public String obstacle(Device device) {
    DeviceFacts facts = device.facts();
    if (!facts.external().importsMemory()) {
      return device.label() + " imports no memory: " + facts.external().memoryImport().detail();
    }
    if (facts.deviceVersion() < IMPORTS_FROM) {
      return device.label() + " imports no memory: that needs OpenCL 3.0";
    }
    if (facts.uuid().isEmpty()) {
      return device.label() + " has no uuid by which another API would know it";
    }
    if (exporters.isEmpty()) {
      return "OpenCL exports none, and no other backend is here";
    }
    return exporters.stream().anyMatch(e -> e.obstacle(facts.uuid()).isEmpty())
        ? missingCall(device)
        : exporters.stream()
            .map(e -> e.api() + " exports none: " + e.obstacle(facts.uuid()))
            .collect(Collectors.joining("; "));
  }

  /** Asked last: only this needs the device itself. */
  private static String missingCall(Device device) {
    return CL.getICD().clCreateBufferWithProperties == 0
        ? "the loader has no clCreateBufferWithProperties"
        : ExternalCommands.obstacle(device);
  }

  @Override
  public String source(Device device) {
    return "memory that " + exporter(device).api() + " exports";
  }

  private MemoryExporter exporter(Device device) {
    return exporters.stream()
        .filter(e -> e.obstacle(device.facts().uuid()).isEmpty())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(obstacle(device)));
  }

  @Override
  public Blocks open(Device device) {
    MemoryExporter.Session session = exporter(device).open(device.facts().uuid());
    return new Blocks() {
      @Override
      public Block make(long bytes) {
        return new Imported(session.memory(DeviceBuffer.wholeAccesses(bytes)), bytes);
      }

      @Override
      public void close() {
        session.close();
      }
    };
  }

  /**
   * A block.
   *
   * @param bytes as asked for
   */
  private record Imported(MemoryExporter.Memory memory, long bytes) implements Block {
    @Override
    public DeviceBuffer in(DeviceContext context) {
      int descriptor = memory.descriptor();
      try (Closing failed = new Closing()) {
        failed.keep(() -> UNISTD.close(null, descriptor));
        DeviceBuffer made = DeviceBuffer.imported(context, bytes, memory.bytes(), descriptor);
        // The driver's from now on.
        failed.succeeded();
        return made;
      }
    }

    @Override
    public boolean isExternal() {
      return true;
    }

    @Override
    public void close() {
      memory.close();
    }
  }
}
