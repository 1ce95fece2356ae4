package org.allreducelab.backends.opencl;

import static org.allreducelab.backends.opencl.ErrorCode.check;
import static org.lwjgl.opencl.CL10.*;
import static org.lwjgl.opencl.CL11.CL_DEVICE_HOST_UNIFIED_MEMORY;
import static org.lwjgl.opencl.CL12.CL_DEVICE_PARTITION_EQUALLY;
import static org.lwjgl.opencl.CL12.CL_DEVICE_PARTITION_PROPERTIES;
import static org.lwjgl.opencl.CL20.CL_DEVICE_SVM_CAPABILITIES;
import static org.lwjgl.opencl.KHRExternalMemory.CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR;
import static org.lwjgl.opencl.KHRExternalSemaphore.CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR;
import static org.lwjgl.opencl.KHRExternalSemaphore.CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.allreducelab.backends.DriverException;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/** Asks a device for its facts. */
final class DeviceQuery {
  /** cl_khr_device_uuid. */
  private static final int CL_DEVICE_UUID_KHR = 0x106A;

  /** cl_khr_pci_bus_info: domain, bus, device, function. */
  private static final int CL_DEVICE_PCI_BUS_INFO_KHR = 0x410F;

  private static final String SEMAPHORES = "cl_khr_external_semaphore";
  private static final String MEMORY = "cl_khr_external_memory";

  private static final Pattern VERSION = Pattern.compile("OpenCL (\\d+)\\.(\\d+).*");
  private static final int OLDEST = 102;

  private final long device;
  private final String name;

  private DeviceQuery(long device) {
    this.device = device;
    name = "a device";
  }

  static DeviceFacts ask(long device, String platform, String version) {
    return new DeviceQuery(device).facts(platform, version);
  }

  private DeviceFacts facts(String platform, String version) {
    Set<String> extensions = Set.of(text(CL_DEVICE_EXTENSIONS).strip().split("\\s+"));
    int deviceVersion = version(text(CL_DEVICE_VERSION));
    long fp = number(CL_DEVICE_SINGLE_FP_CONFIG);
    int units = (int) number(CL_DEVICE_MAX_COMPUTE_UNITS);
    DeviceFacts.Type type = type();
    return new DeviceFacts(
        text(CL_DEVICE_NAME),
        text(CL_DEVICE_NAME),
        platform,
        version,
        text(CL_DRIVER_VERSION),
        deviceVersion,
        type,
        identity(extensions),
        extensions,
        external(extensions),
        (fp & CL_FP_ROUND_TO_NEAREST) != 0,
        (fp & CL_FP_DENORM) != 0,
        (fp & CL_FP_INF_NAN) != 0,
        deviceVersion >= 200 ? number(CL_DEVICE_SVM_CAPABILITIES) : 0,
        units,
        number(CL_DEVICE_MAX_WORK_GROUP_SIZE),
        number(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        number(CL_DEVICE_MAX_PARAMETER_SIZE),
        deviceVersion >= OLDEST && units >= 2 && dividesEqually() ? 2 : 0,
        obstacle(deviceVersion, fp));
  }

  private String obstacle(int deviceVersion, long fp) {
    if (deviceVersion < OLDEST) {
      return "OpenCL 1.2 is needed, it has " + deviceVersion / 100 + "." + deviceVersion % 100;
    }
    if ((fp & CL_FP_ROUND_TO_NEAREST) == 0) {
      return "CL_FP_ROUND_TO_NEAREST is missing: nothing can be exact on it";
    }
    if (number(CL_DEVICE_AVAILABLE) == 0) {
      return "CL_DEVICE_AVAILABLE is false";
    }
    if (number(CL_DEVICE_COMPILER_AVAILABLE) == 0) {
      return "CL_DEVICE_COMPILER_AVAILABLE is false: kernels are compiled here";
    }
    return number(CL_DEVICE_ENDIAN_LITTLE) == 0 ? "it is big-endian" : "";
  }

  private static int version(String text) {
    Matcher matcher = VERSION.matcher(text);
    return matcher.matches()
        ? Integer.parseInt(matcher.group(1)) * 100 + Integer.parseInt(matcher.group(2))
        : 0;
  }

  private DeviceFacts.Type type() {
    long type = number(CL_DEVICE_TYPE);
    if ((type & CL_DEVICE_TYPE_GPU) != 0) {
      return number(CL_DEVICE_HOST_UNIFIED_MEMORY) == 0
          ? DeviceFacts.Type.DISCRETE
          : DeviceFacts.Type.INTEGRATED;
    }
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? DeviceFacts.Type.CPU : DeviceFacts.Type.OTHER;
  }

  private String identity(Set<String> extensions) {
    StringBuilder text = new StringBuilder();
    if (extensions.contains("cl_khr_device_uuid")) {
      byte[] uuid = bytes(CL_DEVICE_UUID_KHR);
      text.append(DeviceFacts.UUID).append(HexFormat.of().formatHex(uuid));
    }
    if (extensions.contains("cl_khr_pci_bus_info")) {
      ByteBuffer pci =
          ByteBuffer.wrap(bytes(CL_DEVICE_PCI_BUS_INFO_KHR)).order(ByteOrder.LITTLE_ENDIAN);
      text.append(text.isEmpty() ? "pci " : " pci ")
          .append(
              "%04x:%02x:%02x.%x"
                  .formatted(pci.getInt(), pci.getInt(), pci.getInt(), pci.getInt()));
    }
    return text.toString();
  }

  private ExternalHandles external(Set<String> extensions) {
    boolean semaphores = extensions.contains(SEMAPHORES);
    boolean memory = extensions.contains(MEMORY);
    return new ExternalHandles(
        handleTypes(
            semaphores,
            SEMAPHORES,
            "CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR",
            CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR),
        handleTypes(
            semaphores,
            SEMAPHORES,
            "CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR",
            CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR),
        handleTypes(
            memory,
            MEMORY,
            "CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR",
            CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR));
  }

  /** NVIDIA's driver (580.159) has the extension and refuses one of the questions. */
  private HandleTypes handleTypes(boolean present, String extension, String query, int what) {
    if (!present) {
      return HandleTypes.without(extension, query);
    }
    try {
      ByteBuffer types = ByteBuffer.wrap(bytes(what)).order(ByteOrder.LITTLE_ENDIAN);
      List<Integer> all = new ArrayList<>();
      while (types.remaining() >= Integer.BYTES) {
        all.add(types.getInt());
      }
      return HandleTypes.listed(query, all);
    } catch (DriverException e) {
      return HandleTypes.failed(query, e.code());
    }
  }

  private boolean dividesEqually() {
    ByteBuffer kinds =
        ByteBuffer.wrap(bytes(CL_DEVICE_PARTITION_PROPERTIES)).order(ByteOrder.LITTLE_ENDIAN);
    while (kinds.remaining() >= Long.BYTES) {
      if (kinds.getLong() == CL_DEVICE_PARTITION_EQUALLY) {
        return true;
      }
    }
    return false;
  }

  private String text(int what) {
    return text(bytes(what));
  }

  /** An integer of four or eight bytes. */
  private long number(int what) {
    ByteBuffer value = ByteBuffer.wrap(bytes(what)).order(ByteOrder.LITTLE_ENDIAN);
    return value.remaining() == Integer.BYTES
        ? Integer.toUnsignedLong(value.getInt())
        : value.getLong();
  }

  private byte[] bytes(int what) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer size = stack.mallocPointer(1);
      check(clGetDeviceInfo(device, what, (ByteBuffer) null, size), "clGetDeviceInfo", name);
      ByteBuffer value = org.lwjgl.system.MemoryUtil.memAlloc((int) Math.max(1, size.get(0)));
      try {
        check(clGetDeviceInfo(device, what, value, null), "clGetDeviceInfo", name);
        byte[] copied = new byte[(int) size.get(0)];
        value.get(copied);
        return copied;
      } finally {
        org.lwjgl.system.MemoryUtil.memFree(value);
      }
    }
  }

  /** A fact of a platform as text. */
  static String ofPlatform(long platform, int what) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer size = stack.mallocPointer(1);
      check(
          clGetPlatformInfo(platform, what, (ByteBuffer) null, size),
          "clGetPlatformInfo",
          "a platform");
      ByteBuffer value = stack.malloc((int) size.get(0));
      check(clGetPlatformInfo(platform, what, value, null), "clGetPlatformInfo", "a platform");
      byte[] copied = new byte[value.remaining()];
      value.get(copied);
      return text(copied);
    }
  }

  /** Without the terminating zero and spaces around. */
  private static String text(byte[] bytes) {
    int length = bytes.length;
    while (length > 0 && bytes[length - 1] == 0) {
      length--;
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
  }
}
