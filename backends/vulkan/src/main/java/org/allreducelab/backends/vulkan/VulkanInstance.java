package org.allreducelab.backends.vulkan;

import static org.allreducelab.backends.vulkan.ResultCode.check;
import static org.lwjgl.vulkan.EXTDebugUtils.*;
import static org.lwjgl.vulkan.EXTValidationFeatures.VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
import static org.lwjgl.vulkan.VK10.*;
import static org.lwjgl.vulkan.VK11.VK_API_VERSION_1_1;
import static org.lwjgl.vulkan.VK12.VK_API_VERSION_1_2;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.allreducelab.backends.UnavailableException;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkValidationFeaturesEXT;

/** A Vulkan instance and the devices it shows. */
final class VulkanInstance implements AutoCloseable {
  private static final String LAYER = "VK_LAYER_KHRONOS_validation";
  private static final String INSTALL =
      "on Debian or Ubuntu: apt-get install libvulkan1 mesa-vulkan-drivers"
          + " (or your GPU vendor's driver)";

  private static boolean loaded;

  private final VkInstance handle;
  private final List<PhysicalDevice> devices;
  private final @Nullable ValidationLog validation;
  private final long messenger;
  private boolean closed;

  /**
   * @throws UnavailableException if there is no loader, no driver, or no validation layer where it
   *     was asked for; the message says what to install
   */
  VulkanInstance(boolean validated) {
    load();
    validation = validated ? new ValidationLog() : null;
    try {
      handle = create(validation);
    } catch (RuntimeException e) {
      if (validation != null) {
        validation.close();
      }
      throw e;
    }
    messenger = validation == null ? VK_NULL_HANDLE : messenger(validation);
    devices = enumerate();
    if (devices.isEmpty()) {
      close();
      throw new UnavailableException("the Vulkan loader shows no device; " + INSTALL);
    }
  }

  private static synchronized void load() {
    if (loaded) {
      return;
    }
    loadLwjgl();
    try {
      // Explicit, so that a missing loader is an answer and not a class that fails to initialise.
      Configuration.VULKAN_EXPLICIT_INIT.set(true);
      VK.create();
      loaded = true;
    } catch (UnsatisfiedLinkError e) {
      throw noLoader();
    }
  }

  /** LWJGL's own library is unpacked when it is first used: not to be mistaken for the loader. */
  private static void loadLwjgl() {
    try {
      Library.initialize();
    } catch (LinkageError e) {
      throw new UnavailableException(
          "LWJGL's library cannot be unpacked into the temporary folder "
              + System.getProperty("java.io.tmpdir")
              + "; make room there, or name another: LAB_JAVA_OPTS=-Djava.io.tmpdir=DIR");
    }
  }

  private static UnavailableException noLoader() {
    return new UnavailableException("no Vulkan loader (libvulkan.so.1); " + INSTALL);
  }

  private static VkInstance create(@Nullable ValidationLog validation) {
    if (VK.getInstanceVersionSupported() < VK_API_VERSION_1_2) {
      throw new UnavailableException("the Vulkan loader is older than 1.2; " + INSTALL);
    }
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkApplicationInfo application =
          VkApplicationInfo.calloc(stack)
              .sType$Default()
              .pApplicationName(stack.UTF8("allreduce-lab"))
              .apiVersion(VK_API_VERSION_1_2);
      VkInstanceCreateInfo info =
          VkInstanceCreateInfo.calloc(stack).sType$Default().pApplicationInfo(application);
      if (validation != null) {
        // Chained for what happens while the instance is made and destroyed.
        info.ppEnabledLayerNames(stack.pointers(stack.UTF8(LAYER)))
            .ppEnabledExtensionNames(stack.pointers(stack.UTF8(VK_EXT_DEBUG_UTILS_EXTENSION_NAME)))
            .pNext(
                VkValidationFeaturesEXT.calloc(stack)
                    .sType$Default()
                    .pEnabledValidationFeatures(
                        stack.ints(VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT)))
            .pNext(validation.createInfo(stack));
      }
      PointerBuffer made = stack.mallocPointer(1);
      int code = vkCreateInstance(info, null, made);
      if (code == VK_ERROR_INCOMPATIBLE_DRIVER) {
        throw new UnavailableException("the Vulkan loader finds no driver; " + INSTALL);
      }
      if (code == VK_ERROR_LAYER_NOT_PRESENT) {
        throw new UnavailableException(
            LAYER + " is missing; on Debian or Ubuntu: apt-get install vulkan-validationlayers");
      }
      check(code, "vkCreateInstance", "the loader");
      return new VkInstance(made.get(0), info);
    }
  }

  private long messenger(ValidationLog log) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDebugUtilsMessengerCreateInfoEXT info = log.createInfo(stack);
      LongBuffer made = stack.mallocLong(1);
      check(
          vkCreateDebugUtilsMessengerEXT(handle, info, null, made),
          "vkCreateDebugUtilsMessengerEXT",
          "the loader");
      return made.get(0);
    }
  }

  private List<PhysicalDevice> enumerate() {
    Map<DeviceFacts, VkPhysicalDevice> handles = new HashMap<>();
    List<DeviceFacts> facts = new ArrayList<>();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer count = stack.mallocInt(1);
      check(
          vkEnumeratePhysicalDevices(handle, count, null),
          "vkEnumeratePhysicalDevices",
          "the loader");
      PointerBuffer found = stack.mallocPointer(count.get(0));
      check(
          vkEnumeratePhysicalDevices(handle, count, found),
          "vkEnumeratePhysicalDevices",
          "the loader");
      for (int i = 0; i < found.capacity(); i++) {
        VkPhysicalDevice device = new VkPhysicalDevice(found.get(i), handle);
        VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.calloc(stack);
        vkGetPhysicalDeviceProperties(device, properties);
        if (properties.apiVersion() >= VK_API_VERSION_1_1) {
          DeviceFacts known = DeviceQuery.ask(device);
          facts.add(known);
          handles.put(known, device);
        }
      }
    }
    facts.sort(PhysicalDevice.ORDER);
    List<PhysicalDevice> sorted = new ArrayList<>();
    for (DeviceFacts known : facts) {
      VkPhysicalDevice device = handles.get(known);
      if (device != null) {
        sorted.add(new PhysicalDevice("vulkan:" + sorted.size(), device, known));
      }
    }
    return List.copyOf(sorted);
  }

  /** Devices in the stable order of their ids. */
  List<PhysicalDevice> devices() {
    return devices;
  }

  /** What the validation layer said so far; empty where it does not run. */
  List<String> validationMessages() {
    return validation == null ? List.of() : validation.messages();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (validation != null) {
      vkDestroyDebugUtilsMessengerEXT(handle, messenger, null);
    }
    vkDestroyInstance(handle, null);
    if (validation != null) {
      validation.close();
    }
  }
}
