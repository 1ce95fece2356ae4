package org.allreducelab.backends.vulkan;

import java.util.List;
import org.allreducelab.backends.BackendException;
import org.jspecify.annotations.Nullable;

/** One rank's memory as the logical devices of the group see it. */
final class SharedBuffer implements AutoCloseable {
  private final @Nullable DeviceBuffer[] views;
  private final int owner;
  private @Nullable HostBlock block;

  private SharedBuffer(int devices, int owner) {
    views = new DeviceBuffer[devices];
    this.owner = owner;
  }

  /** Memory of the owner's device that no other device sees. */
  static SharedBuffer ofOne(List<LogicalDevice> devices, int owner, long bytes) {
    SharedBuffer made = new SharedBuffer(devices.size(), owner);
    made.views[owner] = DeviceBuffer.local(devices.get(owner), bytes);
    return made;
  }

  /** Memory of the owner's device, imported into all others. */
  static SharedBuffer exported(
      List<LogicalDevice> devices, int owner, long bytes, HandleType type) {
    SharedBuffer made = new SharedBuffer(devices.size(), owner);
    try {
      DeviceBuffer own = DeviceBuffer.exported(devices.get(owner), bytes, type);
      made.views[owner] = own;
      for (int i = 0; i < devices.size(); i++) {
        if (i != owner) {
          made.views[i] = DeviceBuffer.imported(devices.get(i), own, type);
        }
      }
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** Host memory, imported into every device. */
  static SharedBuffer onHost(List<LogicalDevice> devices, int owner, long bytes) {
    SharedBuffer made = new SharedBuffer(devices.size(), owner);
    try {
      long alignment =
          devices.stream().mapToLong(d -> d.facts().hostAlignment()).max().orElseThrow();
      HostBlock block = new HostBlock(bytes, alignment, devices.get(owner));
      made.block = block;
      for (int i = 0; i < devices.size(); i++) {
        made.views[i] = DeviceBuffer.over(block, devices.get(i));
      }
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** The buffer as a device sees it. */
  DeviceBuffer on(int deviceIndex) {
    DeviceBuffer view = views[deviceIndex];
    if (view == null) {
      throw new BackendException(
          "memory of device " + owner + " is not shared with " + deviceIndex);
    }
    return view;
  }

  /** The buffer on its owner's device. */
  DeviceBuffer own() {
    return on(owner);
  }

  @Override
  public void close() {
    for (int i = views.length - 1; i >= 0; i--) {
      DeviceBuffer view = views[i];
      // Imports go before what they were imported from.
      if (view != null && i != owner) {
        view.close();
      }
    }
    DeviceBuffer own = views[owner];
    if (own != null) {
      own.close();
    }
    if (block != null) {
      block.close();
    }
  }
}
