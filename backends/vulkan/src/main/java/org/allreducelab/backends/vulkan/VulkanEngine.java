package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DataBuffer;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.Group;
import org.allreducelab.backends.GroupSpec;
import org.allreducelab.backends.device.DeviceEngine;
import org.allreducelab.backends.device.DeviceGroup;
import org.allreducelab.backends.lowering.GroupClock;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.staging.StagingUse;

/** A group's logical devices. */
final class VulkanEngine implements DeviceEngine<Recording> {
  private static final int MOST_IN_FLIGHT = 1024;

  private final GroupResources resources;

  private VulkanEngine(GroupResources resources) {
    this.resources = resources;
  }

  static DeviceGroup<Recording> open(GroupSpec spec, GroupPlan plan) {
    GroupResources resources = new GroupResources(plan, spec, spec.deadlineNs());
    return new DeviceGroup<>(spec, plan.choices(), "vulkan", new VulkanEngine(resources));
  }

  @Override
  public int lanes() {
    return resources.lanes().count();
  }

  @Override
  public boolean merges() {
    return resources.merges();
  }

  @Override
  public void write(int rank, DataBuffer buffer, byte[] bytes) {
    Site site = resources.sites().of(rank);
    resources
        .transfers(site.deviceIndex())
        .write(site.queue(), resources.memory().buffer(rank, buffer), 0, bytes);
  }

  @Override
  public void read(int rank, DataBuffer buffer, long byteOffset, byte[] into) {
    Site site = resources.sites().of(rank);
    resources
        .transfers(site.deviceIndex())
        .read(site.queue(), resources.memory().buffer(rank, buffer), byteOffset, into);
  }

  @Override
  public void allocateSlots(int rank, int buffer, long bytes) {
    resources.memory().allocateSlots(rank, buffer, bytes);
  }

  @Override
  public void freeSlots(int rank, int buffer) {
    resources.memory().freeSlots(rank, buffer);
  }

  @Override
  public void pick(StagingUse use) {
    resources.memory().pick(use);
  }

  @Override
  public Recording record(Program program) {
    return new Recording(program, resources);
  }

  @Override
  public boolean hasRoom(int invocations) {
    // Timed ones go one by one, since each has its timestamps in the same places.
    return invocations < (resources.timestamps() ? 1 : MOST_IN_FLIGHT);
  }

  @Override
  public void submit(Recording recording, GroupClock clock, long[] progress) {
    recording.submit(clock, progress);
  }

  @Override
  public boolean await(long[] values, long timeoutNs) {
    if (resources.lanes().await(values, timeoutNs)) {
      return true;
    }
    resources.lanes().requireProxies();
    return false;
  }

  @Override
  public long value(int lane) {
    return resources.lanes().value(lane);
  }

  @Override
  public void drain() {
    resources.sites().drain();
  }

  @Override
  public boolean copiesEnd(long timeoutNs) {
    try {
      return resources.transfersIdle(timeoutNs);
    } catch (DriverException e) {
      resources.sites().failed(e);
      // A lost device executes nothing any more.
      return e.code() == VK_ERROR_DEVICE_LOST;
    }
  }

  @Override
  public boolean release(long[] values, long timeoutNs) {
    return resources.lanes().release(values, timeoutNs);
  }

  @Override
  public void failed(BackendException failure) {
    if (failure instanceof DriverException e) {
      resources.sites().failed(e);
    } else if (failure.getCause() instanceof DriverException e) {
      resources.sites().failed(e);
    }
  }

  @Override
  public void opened(Group group) {
    SharedInstance.opened(group);
  }

  @Override
  public void closed(Group group) {
    SharedInstance.closed(group);
  }

  @Override
  public void close() {
    resources.close();
  }
}
