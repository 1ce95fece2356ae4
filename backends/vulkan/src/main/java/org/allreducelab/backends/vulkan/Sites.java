package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

import java.util.ArrayList;
import java.util.List;
import org.allreducelab.backends.DriverException;

/** The logical devices of a group with their kernels, and each rank's place on them. */
final class Sites implements AutoCloseable {
  private final List<LogicalDevice> devices = new ArrayList<>();
  private final List<FoldPipelines> pipelines = new ArrayList<>();
  private final List<Site> sites = new ArrayList<>();
  private boolean condemned;

  /** The sites of a group. */
  static Sites of(GroupPlan plan, GlslCompiler compiler) {
    return switch (plan.placement()) {
      case QUEUES -> shared(plan, plan.ranks(), compiler);
      case SINGLE_QUEUE -> shared(plan, 1, compiler);
      case LOGICAL, PHYSICAL -> apart(plan, compiler);
    };
  }

  /** Ranks share one logical device, with up to {@code mostQueues} queues dealt round-robin. */
  private static Sites shared(GroupPlan plan, int mostQueues, GlslCompiler compiler) {
    Sites made = new Sites();
    try {
      DevicePlan device = plan.devices().get(0);
      int queues = Math.min(mostQueues, device.family().queues());
      made.add(device, queues, compiler);
      for (int rank = 0; rank < plan.ranks(); rank++) {
        int queue = rank % queues;
        made.sites.add(new Site(made.devices.get(0), 0, made.devices.get(0).queue(queue), queue));
      }
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** Every rank has a logical device of its own. */
  private static Sites apart(GroupPlan plan, GlslCompiler compiler) {
    Sites made = new Sites();
    try {
      for (int rank = 0; rank < plan.ranks(); rank++) {
        made.add(plan.devices().get(rank), 1, compiler);
        made.sites.add(
            new Site(made.devices.get(rank), rank, made.devices.get(rank).queue(0), rank));
      }
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private void add(DevicePlan plan, int queues, GlslCompiler compiler) {
    LogicalDevice device = DevicePool.take(plan.physical(), plan.family(), queues);
    devices.add(device);
    pipelines.add(device.pipelines(plan.traits(), compiler));
  }

  int ranks() {
    return sites.size();
  }

  Site of(int rank) {
    return sites.get(rank);
  }

  List<LogicalDevice> devices() {
    return devices;
  }

  FoldPipelines pipelines(int deviceIndex) {
    return pipelines.get(deviceIndex);
  }

  /** How many different queues the ranks have. */
  int queues() {
    return 1 + sites.stream().mapToInt(Site::queueIndex).max().orElse(-1);
  }

  /**
   * Waits until drivers have let go of work that is done.
   *
   * @throws DriverException if that failed on a device; the others have been waited for
   */
  void drain() {
    DriverException first = null;
    for (LogicalDevice device : devices) {
      try {
        device.drain();
      } catch (DriverException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** No other group gets these devices. */
  void condemn() {
    condemned = true;
  }

  /** A call on one of the devices failed: no other group gets them, unless it was refused only. */
  void failed(DriverException failure) {
    condemned |= !ResultCode.isRefusal(failure.code());
    if (failure.code() == VK_ERROR_DEVICE_LOST) {
      devices.forEach(device -> DevicePool.closeIdle(device.physical()));
    }
  }

  /** Has calls of these devices fail, as a test asks. */
  void inject(CallFaults faults) {
    devices.forEach(device -> device.inject(faults));
  }

  @Override
  public void close() {
    for (int i = devices.size() - 1; i >= 0; i--) {
      devices.get(i).inject(null);
      if (condemned) {
        DevicePool.discard(devices.get(i));
      } else {
        DevicePool.giveBack(devices.get(i));
      }
    }
  }
}
