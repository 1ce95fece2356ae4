package org.allreducelab.backends.opencl;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.allreducelab.backends.DriverException;
import org.allreducelab.backends.device.Closing;
import org.lwjgl.system.MemoryUtil;

/**
 * Sends bytes from {@link PinnedMemory} to a device and back, once per device and process: no query
 * says whether a driver gives such memory.
 */
final class PinningProbe {
  private static final int BYTES = 1 << 16;
  private static final int PAGE = 4096;

  private static final Map<String, String> OBSTACLES = new HashMap<>();

  private PinningProbe() {}

  /** Why slots cannot lie in memory of the device's driver; empty if they can. */
  static synchronized String obstacle(Device device) {
    return OBSTACLES.computeIfAbsent(device.id(), id -> find(device));
  }

  private static String find(Device device) {
    try (Closing closing = new Closing()) {
      DeviceContext context = closing.keep(new DeviceContext(device));
      CommandQueue queue = closing.keep(new CommandQueue(context));
      DeviceBuffer there = closing.keep(new DeviceBuffer(context, BYTES));
      ByteBuffer out = closing.keep(new PinnedMemory(queue, BYTES, PAGE)).bytes();
      ByteBuffer back = closing.keep(new PinnedMemory(queue, BYTES, PAGE)).bytes();
      for (int i = 0; i < BYTES; i++) {
        out.put(i, (byte) (i * 31 + (i >> 8)));
      }
      queue.fromHost(there.handle(), 0, BYTES, MemoryUtil.memAddress(out), 0);
      queue.toHost(there.handle(), 0, BYTES, MemoryUtil.memAddress(back));
      queue.finish();
      return out.equals(back) ? "" : "bytes sent from mapped memory came back wrong";
    } catch (DriverException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
