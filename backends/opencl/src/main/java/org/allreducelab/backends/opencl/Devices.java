package org.allreducelab.backends.opencl;

import static org.allreducelab.backends.opencl.ErrorCode.check;
import static org.lwjgl.opencl.CL10.*;
import static org.lwjgl.opencl.CL12.CL_DEVICE_PARTITION_EQUALLY;
import static org.lwjgl.opencl.CL12.clCreateSubDevices;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.allreducelab.backends.UnavailableException;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.opencl.CL;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.linux.DynamicLinkLoader;

/**
 * The devices of all platforms, found when first asked for. A device that can be divided into equal
 * parts is followed by its two halves.
 */
final class Devices {
  private static final String INSTALL =
      "on Debian or Ubuntu: ./lab setup, or apt-get install ocl-icd-libopencl1 and a driver"
          + " (software: pocl-opencl-icd)";

  private static @Nullable List<Device> known;
  private static @Nullable String absence;

  private Devices() {}

  /**
   * All devices in the stable order of their ids.
   *
   * @throws UnavailableException if there is no loader, driver or device; the answer is kept
   */
  static synchronized List<Device> all() {
    if (absence != null) {
      throw new UnavailableException(absence);
    }
    List<Device> present = known;
    if (present == null) {
      try {
        load();
        present = enumerate();
        known = present;
      } catch (UnavailableException e) {
        absence = String.valueOf(e.getMessage());
        throw e;
      }
    }
    return present;
  }

  /**
   * The device of an id.
   *
   * @throws UnavailableException if it is not here
   */
  static Device named(String id) {
    List<Device> all = all();
    return all.stream()
        .filter(device -> device.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new UnavailableException(
                    "no device "
                        + id
                        + "; here are "
                        + all.stream().map(Device::label).collect(Collectors.joining(", "))));
  }

  private static void load() {
    // Explicit, so that a missing loader is an answer and not a class that fails to initialise.
    Configuration.OPENCL_EXPLICIT_INIT.set(true);
    String asked = Configuration.OPENCL_LIBRARY_NAME.get("");
    // Only development packages have the name without a version.
    for (String name :
        asked.isEmpty() ? List.of("libOpenCL.so", "libOpenCL.so.1") : List.of(asked)) {
      if (loads(name)) {
        create(name);
        return;
      }
    }
    throw new UnavailableException(
        "no OpenCL loader ("
            + (asked.isEmpty() ? "libOpenCL.so or libOpenCL.so.1" : asked)
            + "); "
            + INSTALL);
  }

  private static void create(String name) {
    try {
      CL.create(name);
    } catch (IllegalStateException | UnsatisfiedLinkError e) {
      throw new UnavailableException(name + " is no OpenCL loader: " + e.getMessage());
    }
  }

  /** Whether a library is there; asked first, since LWJGL prints lines about one that is not. */
  private static boolean loads(String name) {
    long library = DynamicLinkLoader.dlopen(name, DynamicLinkLoader.RTLD_LAZY);
    if (library != MemoryUtil.NULL) {
      DynamicLinkLoader.dlclose(library);
    }
    return library != MemoryUtil.NULL;
  }

  private record Found(long handle, long platform, DeviceFacts facts) {}

  private static List<Device> enumerate() {
    List<Found> found = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (long platform : SignalHandlers.keptDuring(Devices::platforms)) {
      String name = DeviceQuery.ofPlatform(platform, CL_PLATFORM_NAME);
      String version = DeviceQuery.ofPlatform(platform, CL_PLATFORM_VERSION);
      names.add(name);
      for (long handle : SignalHandlers.keptDuring(() -> devices(platform))) {
        found.add(new Found(handle, platform, DeviceQuery.ask(handle, name, version)));
      }
    }
    if (found.isEmpty()) {
      throw new UnavailableException(
          "no device on the OpenCL platforms "
              + String.join(", ", names)
              + "; PoCL has none where POCL_DEVICES names none, or where it cannot write its cache"
              + " (POCL_CACHE_DIR names another folder)");
    }
    found.sort(Comparator.comparing(Found::facts, Device.ORDER));
    List<Device> all = new ArrayList<>();
    int number = 0;
    for (Found f : found) {
      Device device = new Device("opencl:" + number++, f.handle(), f.platform(), f.facts());
      all.add(device);
      all.addAll(parts(device));
    }
    return List.copyOf(all);
  }

  private static List<Long> platforms() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer count = stack.mallocInt(1);
      int code = clGetPlatformIDs(null, count);
      if (code == ErrorCode.PLATFORM_NOT_FOUND || (code == CL_SUCCESS && count.get(0) == 0)) {
        throw new UnavailableException("the OpenCL loader finds no driver; " + INSTALL);
      }
      check(code, "clGetPlatformIDs", "the loader");
      PointerBuffer handles = stack.mallocPointer(count.get(0));
      check(clGetPlatformIDs(handles, (IntBuffer) null), "clGetPlatformIDs", "the loader");
      return list(handles);
    }
  }

  private static List<Long> devices(long platform) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer count = stack.mallocInt(1);
      int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, null, count);
      if (code == CL_DEVICE_NOT_FOUND) {
        return List.of();
      }
      check(code, "clGetDeviceIDs", "a platform");
      PointerBuffer handles = stack.mallocPointer(count.get(0));
      check(
          clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, handles, (IntBuffer) null),
          "clGetDeviceIDs",
          "a platform");
      return list(handles);
    }
  }

  /** The sub-devices, which live as long as the process: they hold nothing but compute units. */
  private static List<Device> parts(Device whole) {
    DeviceFacts facts = whole.facts();
    if (facts.parts() == 0 || !facts.obstacle().isEmpty()) {
      return List.of();
    }
    List<Device> parts = new ArrayList<>();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer how =
          stack.pointers(CL_DEVICE_PARTITION_EQUALLY, facts.computeUnits() / facts.parts(), 0);
      PointerBuffer handles = stack.mallocPointer(facts.parts());
      IntBuffer count = stack.mallocInt(1);
      int code = clCreateSubDevices(whole.handle(), how, handles, count);
      // More parts than asked for cannot be named by the same ids everywhere: then there are none.
      int made = code == CL_SUCCESS && count.get(0) <= facts.parts() ? count.get(0) : 0;
      for (int i = 0; i < made; i++) {
        String name = "part " + i + " of " + made + " of " + whole.id();
        parts.add(
            new Device(
                whole.id() + "/" + i,
                handles.get(i),
                whole.platform(),
                DeviceQuery.ask(handles.get(i), facts.platform(), facts.version()).part(name)));
      }
    }
    return parts;
  }

  private static List<Long> list(PointerBuffer handles) {
    List<Long> list = new ArrayList<>();
    for (int i = 0; i < handles.capacity(); i++) {
      list.add(handles.get(i));
    }
    return list;
  }
}
