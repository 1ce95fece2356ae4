package org.allreducelab.backends.vulkan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.allreducelab.backends.DriverShutdown;
import org.allreducelab.backends.UnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * The one instance of this process, made when first asked for.
 *
 * <p>It lives until the JVM ends and is destroyed then, after every group that is still open: a
 * driver that finds an instance alive when the process exits may crash it.
 */
final class SharedInstance {
  /**
   * How long the process goes on after its instance is gone. NVIDIA's driver (580.159) ends threads
   * of its own after {@code vkDestroyInstance} has returned, and a process that exits meanwhile
   * crashes in one of them (SIGSEGV in libEGL_nvidia).
   */
  private static final long SETTLE_MS = 100;

  private static final Set<AutoCloseable> OPEN = new LinkedHashSet<>();
  private static @Nullable VulkanInstance instance;
  private static @Nullable String absence;
  private static boolean ended;

  private SharedInstance() {}

  /**
   * The instance.
   *
   * @throws UnavailableException if there is none to be had; asked once, the answer is kept
   */
  static synchronized VulkanInstance get() {
    if (ended) {
      throw new UnavailableException("the process is ending; Vulkan is closed");
    }
    if (absence != null) {
      throw new UnavailableException(absence);
    }
    if (instance == null) {
      try {
        instance = new VulkanInstance(VulkanSettings.present().validation());
      } catch (UnavailableException e) {
        absence = String.valueOf(e.getMessage());
        throw e;
      }
      DriverShutdown.register(SharedInstance::end);
    }
    return instance;
  }

  /** Remembers something to close before the instance. */
  static synchronized void opened(AutoCloseable owner) {
    OPEN.add(owner);
  }

  static synchronized void closed(AutoCloseable owner) {
    OPEN.remove(owner);
  }

  private static void end() {
    List<AutoCloseable> left;
    synchronized (SharedInstance.class) {
      ended = true;
      left = new ArrayList<>(OPEN);
    }
    boolean allClosed = true;
    for (AutoCloseable owner : left) {
      try {
        owner.close();
      } catch (Exception e) {
        allClosed = false;
      }
    }
    synchronized (SharedInstance.class) {
      // With a device that could not be closed the instance is still in use.
      if (instance != null && allClosed && !DriverShutdown.isStillInUse()) {
        DevicePool.closeIdle();
        instance.close();
        instance = null;
        settle();
        if (VulkanSettings.present().tellEnd()) {
          System.err.println(
              "vulkan: instance destroyed by thread " + Thread.currentThread().getName());
        }
      }
    }
  }

  private static void settle() {
    try {
      Thread.sleep(SETTLE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
