package org.allreducelab.backends.opencl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.LiveObjects;
import org.jspecify.annotations.Nullable;

/**
 * Contexts between groups, with the kernels compiled in them: a driver takes up to seconds to make
 * those again. Closed at the end of the process, after the groups that are still open.
 */
final class ContextPool {
  private static final String KIND = "opencl context";
  private static final Map<String, Deque<DeviceContext>> IDLE = new HashMap<>();
  private static final Set<AutoCloseable> OPEN = new LinkedHashSet<>();

  static {
    DriverShutdown.register(ContextPool::end);
  }

  private ContextPool() {}

  /**
   * An idle context of the device, or a new one.
   *
   * @param faults which of its calls fail; it is a new one then
   */
  static synchronized DeviceContext take(Device device, @Nullable CallFaults faults) {
    Deque<DeviceContext> idle = faults == null ? IDLE.get(device.id()) : null;
    DeviceContext taken =
        idle == null || idle.isEmpty() ? new DeviceContext(device, faults) : idle.pop();
    LiveObjects.opened(KIND);
    return taken;
  }

  /** For the next group, unless a call failed in it. Nothing of the last one may be left in it. */
  static synchronized void giveBack(DeviceContext context) {
    if (!context.isReusable()) {
      discard(context);
      return;
    }
    IDLE.computeIfAbsent(context.device().id(), id -> new ArrayDeque<>()).push(context);
    LiveObjects.closed(KIND);
  }

  /** Closes a context that nobody should use again. */
  static synchronized void discard(DeviceContext context) {
    context.close();
    LiveObjects.closed(KIND);
  }

  /** Remembers a group to close before its driver ends. */
  static synchronized void opened(AutoCloseable group) {
    OPEN.add(group);
  }

  static synchronized void closed(AutoCloseable group) {
    OPEN.remove(group);
  }

  private static void end() {
    List<AutoCloseable> left;
    synchronized (ContextPool.class) {
      left = new ArrayList<>(OPEN);
    }
    boolean allClosed = true;
    for (AutoCloseable group : left) {
      try {
        group.close();
      } catch (Exception e) {
        allClosed = false;
      }
    }
    synchronized (ContextPool.class) {
      if (allClosed) {
        IDLE.values().forEach(idle -> idle.forEach(DeviceContext::close));
        IDLE.clear();
      }
    }
  }
}
