package org.allreducelab.backends.vulkan;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.allreducelab.backends.LiveObjects;

/**
 * Logical devices between groups, with the kernels compiled for them: a driver takes up to seconds
 * to make those again. Closed with the instance.
 */
final class DevicePool {
  private static final String KIND = "vulkan device";
  private static final Map<Key, Deque<LogicalDevice>> IDLE = new HashMap<>();

  private record Key(String device, int family, int queues) {
    static Key of(LogicalDevice device) {
      return new Key(device.physical().id(), device.family().index(), device.queueCount());
    }
  }

  private DevicePool() {}

  /** An idle device, or a new one. */
  static synchronized LogicalDevice take(PhysicalDevice physical, QueueFamily family, int queues) {
    Deque<LogicalDevice> idle = IDLE.get(new Key(physical.id(), family.index(), queues));
    LogicalDevice taken =
        idle == null || idle.isEmpty() ? new LogicalDevice(physical, family, queues) : idle.pop();
    LiveObjects.opened(KIND);
    return taken;
  }

  /** For the next group. Nothing of the last one may be left on it. */
  static synchronized void giveBack(LogicalDevice device) {
    IDLE.computeIfAbsent(Key.of(device), k -> new ArrayDeque<>()).push(device);
    LiveObjects.closed(KIND);
  }

  /** Closes a device that nobody should use again. */
  static synchronized void discard(LogicalDevice device) {
    device.close();
    LiveObjects.closed(KIND);
  }

  /** Closes the idle devices of a physical device that was lost: they are lost too. */
  static synchronized void closeIdle(PhysicalDevice physical) {
    IDLE.forEach(
        (key, idle) -> {
          if (key.device().equals(physical.id())) {
            idle.forEach(LogicalDevice::close);
            idle.clear();
          }
        });
  }

  static synchronized void closeIdle() {
    IDLE.values().forEach(idle -> idle.forEach(LogicalDevice::close));
    IDLE.clear();
  }
}
