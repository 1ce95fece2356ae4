package org.allreducelab.backends.vulkan;

import java.util.List;
import java.util.Set;
import org.lwjgl.vulkan.VK10;

/**
 * Devices that exist on paper, for what is decided from facts alone.
 *
 * @param driverUuid of its driver
 * @param deviceUuid of the device
 * @param timeline OPAQUE_FD timelines
 * @param opaqueFd OPAQUE_FD memory
 * @param dmaBuf dma-buf memory
 * @param host imported host memory
 * @param timelines the timelineSemaphore feature
 */
record SomeDevice(
    String driverUuid,
    String deviceUuid,
    Sharing timeline,
    Sharing opaqueFd,
    Sharing dmaBuf,
    Sharing host,
    boolean timelines) {
  static final Sharing YES = new Sharing(true, true, false, "queried");
  static final Sharing NO = Sharing.impossible("an extension is missing");

  /** One that shares everything but a dma-buf. */
  static SomeDevice capable(String driverUuid, String deviceUuid) {
    return new SomeDevice(driverUuid, deviceUuid, YES, YES, NO, YES, true);
  }

  SomeDevice withTimeline(Sharing other) {
    return new SomeDevice(driverUuid, deviceUuid, other, opaqueFd, dmaBuf, host, timelines);
  }

  SomeDevice withOpaqueFd(Sharing other) {
    return new SomeDevice(driverUuid, deviceUuid, timeline, other, dmaBuf, host, timelines);
  }

  SomeDevice withDmaBuf(Sharing other) {
    return new SomeDevice(driverUuid, deviceUuid, timeline, opaqueFd, other, host, timelines);
  }

  SomeDevice withHost(Sharing other) {
    return new SomeDevice(driverUuid, deviceUuid, timeline, opaqueFd, dmaBuf, other, timelines);
  }

  SomeDevice withoutTimelines() {
    return new SomeDevice(driverUuid, deviceUuid, timeline, opaqueFd, dmaBuf, host, false);
  }

  @SuppressWarnings("NullAway") // no driver has it, so it has no handle
  PhysicalDevice as(String id) {
    return new PhysicalDevice(id, null, facts());
  }

  private DeviceFacts facts() {
    return new DeviceFacts(
        "on paper",
        VK10.VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
        "driver",
        "1.0",
        VK10.VK_API_VERSION_1_0,
        deviceUuid,
        driverUuid,
        new PipelineFile(1, 2, 3, "00"),
        "",
        Set.of(),
        timelines,
        true,
        true,
        true,
        true,
        true,
        true,
        timeline,
        opaqueFd,
        dmaBuf,
        host,
        4096,
        128,
        65535,
        1 << 27,
        1 << 30,
        1,
        List.of(),
        new MemoryTypes(List.of(MemoryTypes.DEVICE)),
        List.of(new QueueFamily(0, VK10.VK_QUEUE_COMPUTE_BIT, 1, 64)));
  }
}
