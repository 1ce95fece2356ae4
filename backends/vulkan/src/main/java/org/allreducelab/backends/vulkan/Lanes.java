package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.FaultPlan;
import org.allreducelab.backends.Placement;
import org.allreducelab.backends.device.Closing;
import org.jspecify.annotations.Nullable;

/**
 * The timelines of a group. A lane is what progresses by itself: a rank, or the only queue of all
 * ranks.
 *
 * <p>{@link #semaphore} is how a rank's device sees another rank's progress: the lane itself on one
 * logical device, an import of it, or a mirror that a {@link Proxy} signals.
 */
final class Lanes implements AutoCloseable {
  private static final long GPU_POLL_NS = 100_000;

  private final Closing made = new Closing();
  private final List<Timeline> lanes = new ArrayList<>();
  private final List<Watch> watches = new ArrayList<>();
  private final long[] submitted;
  private final boolean[] lost;
  private final int[] watchOf;
  private final int[] indexInWatch;
  private final long[] pollNs;
  private final int[] deviceOf;

  /** {@code [device][peer]}: what shows a peer's progress on a device. */
  private final long[][] semaphores;

  /** {@code [device][peer]}: imports; null where there is none. */
  private final @Nullable Timeline[][] views;

  private final List<Proxy> proxies = new ArrayList<>();

  private Lanes(int count, Sites sites) {
    int devices = sites.devices().size();
    submitted = new long[count];
    lost = new boolean[count];
    deviceOf = new int[count];
    Arrays.setAll(deviceOf, lane -> sites.of(lane).deviceIndex());
    views = new Timeline[devices][count];
    watchOf = new int[count];
    indexInWatch = new int[count];
    pollNs = new long[count];
    semaphores = new long[devices][count];
  }

  private interface Views {
    void make(Lanes lanes, Sites sites);
  }

  /** The lanes of a group. */
  static Lanes of(GroupPlan plan, Sites sites, FaultPlan.@Nullable ProxyDeath proxyDeath) {
    if (plan.placement() == Placement.SINGLE_QUEUE) {
      return single(sites);
    }
    return switch (plan.choices().sync().value()) {
      case PROXY -> proxied(sites, proxyDeath);
      case NATIVE -> plan.apart() ? imported(sites) : together(sites);
    };
  }

  /** One lane: the single queue. */
  private static Lanes single(Sites sites) {
    return make(1, sites, false, (lanes, s) -> {});
  }

  /** A lane per rank, all on one logical device. */
  private static Lanes together(Sites sites) {
    return make(sites.ranks(), sites, false, Lanes::seeEachOther);
  }

  /** A lane per rank, imported into all devices but its own; one rank exports to nobody. */
  private static Lanes imported(Sites sites) {
    return make(sites.ranks(), sites, sites.devices().size() > 1, Lanes::importEachOther);
  }

  /** A lane per rank, and a proxy thread for each. */
  private static Lanes proxied(Sites sites, FaultPlan.@Nullable ProxyDeath death) {
    return make(sites.ranks(), sites, false, (lanes, s) -> lanes.mirror(s, death));
  }

  private static Lanes make(int count, Sites sites, boolean exported, Views views) {
    Lanes made = new Lanes(count, sites);
    try {
      for (int lane = 0; lane < count; lane++) {
        LogicalDevice device = sites.of(lane).device();
        made.lanes.add(
            made.made.keep(exported ? Timeline.exported(device) : Timeline.plain(device)));
      }
      views.make(made, sites);
      made.watch(sites);
      return made;
    } catch (RuntimeException e) {
      made.close();
      throw e;
    }
  }

  private void seeEachOther(Sites sites) {
    for (long[] ofDevice : semaphores) {
      Arrays.setAll(ofDevice, peer -> lanes.get(peer).handle());
    }
  }

  private void importEachOther(Sites sites) {
    for (int d = 0; d < semaphores.length; d++) {
      for (int peer = 0; peer < lanes.size(); peer++) {
        semaphores[d][peer] = lanes.get(peer).handle();
        if (d != deviceOf[peer]) {
          Timeline view = made.keep(Timeline.imported(sites.devices().get(d), lanes.get(peer)));
          semaphores[d][peer] = view.handle();
          views[d][peer] = view;
        }
      }
    }
  }

  /** Where there are several devices, ranks of one see each other without a proxy. */
  private void mirror(Sites sites, FaultPlan.@Nullable ProxyDeath death) {
    for (int peer = 0; peer < lanes.size(); peer++) {
      List<Timeline> mirrors = new ArrayList<>();
      for (int d = 0; d < semaphores.length; d++) {
        semaphores[d][peer] = lanes.get(peer).handle();
        if (d != deviceOf[peer] || semaphores.length == 1) {
          Timeline mirror = made.keep(Timeline.plain(sites.devices().get(d)));
          semaphores[d][peer] = mirror.handle();
          mirrors.add(mirror);
        }
      }
      boolean polls = polls(sites.of(peer).device());
      long life = death == null || death.rank() != peer ? Proxy.ENDLESS : death.signals();
      proxies.add(made.keep(new Proxy(peer, lanes.get(peer), mirrors, polls, life)));
    }
  }

  /** Whether a proxy polls. */
  static boolean polls(LogicalDevice device) {
    return !device.facts().isCpu();
  }

  /**
   * How long the host polls for an all-reduce's end before it blocks: a GPU's blocking wait wakes
   * up late; a software driver needs the core itself.
   */
  static long pollNs(LogicalDevice device) {
    return device.facts().isCpu() ? 0 : GPU_POLL_NS;
  }

  private void watch(Sites sites) {
    for (int d = 0; d < sites.devices().size(); d++) {
      int device = d;
      int[] here =
          IntStream.range(0, lanes.size())
              .filter(lane -> sites.of(lane).deviceIndex() == device)
              .toArray();
      for (int i = 0; i < here.length; i++) {
        watchOf[here[i]] = watches.size();
        indexInWatch[here[i]] = i;
      }
      if (here.length > 0) {
        pollNs[watches.size()] = pollNs(sites.devices().get(d));
        List<Timeline> timelines = IntStream.of(here).mapToObj(lanes::get).toList();
        watches.add(made.keep(new Watch(timelines)));
      }
    }
  }

  int count() {
    return lanes.size();
  }

  /** The semaphore that a lane signals. */
  long own(int lane) {
    return lanes.get(lane).handle();
  }

  /** The semaphore on {@code reader}'s device that shows {@code peer}'s progress. */
  long semaphore(int reader, int peer) {
    return semaphores[deviceOf[reader]][peer];
  }

  /** The present value of a lane. */
  long value(int lane) {
    return watches.get(watchOf[lane]).value(indexInWatch[lane]);
  }

  /**
   * Waits for all lanes.
   *
   * @param targets per lane
   * @return false if the time passed before
   */
  boolean await(long[] targets, long timeoutNs) {
    long startNs = System.nanoTime();
    for (int lane = 0; lane < targets.length; lane++) {
      watches.get(watchOf[lane]).target(indexInWatch[lane], targets[lane]);
    }
    for (int i = 0; i < watches.size(); i++) {
      if (!watches.get(i).awaitPolling(timeoutNs - (System.nanoTime() - startNs), pollNs[i])) {
        return false;
      }
    }
    return true;
  }

  /** Notes what a lane will have reached when everything submitted for it is done. */
  void submitted(int lane, long value) {
    submitted[lane] = value;
    if (!proxies.isEmpty()) {
      proxies.get(lane).expect(value);
    }
  }

  /**
   * After a failure: lets those get on who wait for what will never come, that is what was never
   * submitted, what a lost device was to do, and what a proxy that ended has not passed on. To be
   * repeated, since a lane may be signalled only when nothing of it is pending.
   *
   * @param targets per lane
   * @param timeoutNs how long to wait then
   * @return whether all lanes are where they were to be, but those of lost devices
   */
  boolean release(long[] targets, long timeoutNs) {
    for (int lane = 0; lane < targets.length; lane++) {
      findOut(lane);
      if (lost[lane]) {
        standInForLost(lane, targets[lane]);
      } else if (value(lane) < targets[lane] && value(lane) >= submitted[lane]) {
        lanes.get(lane).signal(targets[lane]);
      }
    }
    for (int lane = 0; lane < proxies.size(); lane++) {
      try {
        proxies.get(lane).stepIn(lost[lane], targets[lane]);
      } catch (DriverException e) {
        requireLost(e);
      }
    }
    return reached(targets, timeoutNs);
  }

  private void findOut(int lane) {
    try {
      value(lane);
    } catch (DriverException e) {
      requireLost(e);
      lost[lane] = true;
    }
  }

  /** Other devices see a lane that they imported through a semaphore of their own. */
  private void standInForLost(int lane, long target) {
    for (int d = 0; d < views.length; d++) {
      Timeline view = views[d][lane];
      if (view != null && !isLost(d) && view.value() < target) {
        view.signal(target);
      }
    }
  }

  private boolean isLost(int device) {
    for (int lane = 0; lane < lost.length; lane++) {
      if (lost[lane] && deviceOf[lane] == device) {
        return true;
      }
    }
    return false;
  }

  private boolean reached(long[] targets, long timeoutNs) {
    long startNs = System.nanoTime();
    for (int lane = 0; lane < targets.length; lane++) {
      Watch watch = watches.get(watchOf[lane]);
      watch.target(indexInWatch[lane], targets[lane]);
    }
    for (int lane = 0; lane < targets.length; lane++) {
      long leftNs = timeoutNs - (System.nanoTime() - startNs);
      try {
        if (!lost[lane] && !watches.get(watchOf[lane]).await(leftNs)) {
          return false;
        }
      } catch (DriverException e) {
        requireLost(e);
        return false;
      }
    }
    return true;
  }

  private static void requireLost(DriverException e) {
    if (e.code() != VK_ERROR_DEVICE_LOST) {
      throw e;
    }
  }

  /**
   * @throws BackendException if a proxy thread ended
   */
  void requireProxies() {
    for (int i = 0; i < proxies.size(); i++) {
      RuntimeException failure = proxies.get(i).failure();
      if (failure != null) {
        throw new BackendException(
            "the proxy of rank " + i + " ended: " + failure.getMessage(), failure);
      }
    }
  }

  @Override
  public void close() {
    made.close();
  }
}
