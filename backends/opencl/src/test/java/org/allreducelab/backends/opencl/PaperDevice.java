package org.allreducelab.backends.opencl;

import java.util.List;
import java.util.Set;

/** Devices that exist on paper, for decisions that only look at facts. */
final class PaperDevice {
  private static final HandleTypes NONE = HandleTypes.listed("TYPES", List.of());

  private PaperDevice() {}

  static Device of(
      String id,
      DeviceFacts.Type type,
      int version,
      String identity,
      ExternalHandles external,
      String obstacle) {
    DeviceFacts facts =
        new DeviceFacts(
            "a device",
            "a device",
            "a platform",
            "OpenCL 3.0",
            "1",
            version,
            type,
            identity,
            Set.of(),
            external,
            true,
            true,
            true,
            0,
            4,
            256,
            1L << 30,
            1024,
            0,
            obstacle);
    return new Device(id, 1, 1, facts);
  }

  /** A GPU that shares no semaphores. */
  static Device importing(HandleTypes memory, int version, String identity) {
    ExternalHandles external = new ExternalHandles(NONE, NONE, memory);
    return of("opencl:0", DeviceFacts.Type.DISCRETE, version, identity, external, "");
  }
}
