package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.allreducelab.backends.DriverException;

/** The logical devices of a group with their kernels, and each rank's place on them. */
final class Sites implements AutoCloseable {
  private final List<LogicalDevice> devices = new ArrayList<>();
  private final List<FoldPipelines> pipelines = new ArrayList<>();
  private final List<Placed> sites = new ArrayList<>();
  private boolean condemned;

  private record Placed(int rank, Site site) {}

  /** The sites of a group. */
  static Sites of(GroupPlan plan, GlslCompiler compiler) {
    Sites made = new Sites();
    try {
      for (List<Integer> ranks : plan.layout().ranksOfDevices()) {
        made.add(plan, ranks, compiler);
      }
      made.sites.sort(Comparator.comparingInt(Placed::rank));
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** A logical device for some ranks, which share its queues in blocks of neighbours. */
  private void add(GroupPlan plan, List<Integer> ranks, GlslCompiler compiler) {
    DevicePlan device = plan.devices().get(ranks.get(0));
    int streams = plan.layout().streams(ranks.size());
    int queues = Math.min(streams, device.family().queues());
    int index = devices.size();
    add(device, queues, compiler);
    LogicalDevice made = devices.get(index);
    int firstQueue = queues();
    int firstStream = streams();
    for (int i = 0; i < ranks.size(); i++) {
      int stream = i * streams / ranks.size();
      int queue = stream % queues;
      Site site =
          new Site(made, index, made.queue(queue), firstQueue + queue, firstStream + stream);
      sites.add(new Placed(ranks.get(i), site));
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
    return sites.get(rank).site();
  }

  List<LogicalDevice> devices() {
    return devices;
  }

  FoldPipelines pipelines(int deviceIndex) {
    return pipelines.get(deviceIndex);
  }

  /** How many different queues the ranks have. */
  int queues() {
    return 1 + sites.stream().mapToInt(placed -> placed.site().queueIndex()).max().orElse(-1);
  }

  private int streams() {
    return 1 + sites.stream().mapToInt(placed -> placed.site().stream()).max().orElse(-1);
  }

  /** The stream of each rank. */
  int[] streamOfRanks() {
    return sites.stream().mapToInt(placed -> placed.site().stream()).toArray();
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
