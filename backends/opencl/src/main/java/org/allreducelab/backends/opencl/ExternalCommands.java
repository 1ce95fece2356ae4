package org.allreducelab.backends.opencl;

import org.lwjgl.opencl.CL;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;

/**
 * The commands of cl_khr_external_memory, which are not in the loader: the platform of a device has
 * their addresses.
 */
final class ExternalCommands {
  private final long acquire;
  private final long release;

  ExternalCommands(Device device) {
    acquire = address(device, "clEnqueueAcquireExternalMemObjectsKHR");
    release = address(device, "clEnqueueReleaseExternalMemObjectsKHR");
  }

  private static long address(Device device, String name) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return CL.getFunctionProvider().getFunctionAddress(device.platform(), stack.ASCII(name));
    }
  }

  /** Why they are missing; empty if they are here. */
  static String obstacle(Device device) {
    ExternalCommands commands = new ExternalCommands(device);
    return commands.acquire != 0 && commands.release != 0
        ? ""
        : device.label() + " has no clEnqueueAcquireExternalMemObjectsKHR";
  }

  /** Returns the driver's code. */
  int acquire(long queue, int count, long handles) {
    return JNI.callPPPPI(queue, count, handles, 0, 0L, 0L, acquire);
  }

  /** Returns the driver's code. */
  int release(long queue, int count, long handles) {
    return JNI.callPPPPI(queue, count, handles, 0, 0L, 0L, release);
  }
}
