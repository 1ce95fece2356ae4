package org.allreducelab.backends.opencl;

import java.util.Comparator;
import java.util.Locale;

/**
 * A device or sub-device.
 *
 * @param id of its endpoint
 * @param handle the cl_device_id
 * @param platform the cl_platform_id
 * @param facts what it says about itself
 */
record Device(String id, long handle, long platform, DeviceFacts facts) {
  /** Discrete GPUs first; equal devices keep the driver's order. */
  static final Comparator<DeviceFacts> ORDER =
      Comparator.comparing(DeviceFacts::type)
          .thenComparing(f -> f.platform().toLowerCase(Locale.ROOT))
          .thenComparing(DeviceFacts::identity);

  /** For messages. */
  String label() {
    return id + " (" + facts.name() + ")";
  }
}
