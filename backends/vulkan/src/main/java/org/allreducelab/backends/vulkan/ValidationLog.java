package org.allreducelab.backends.vulkan;

import static org.lwjgl.vulkan.EXTDebugUtils.*;

import java.util.ArrayList;
import java.util.List;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;

/** Collects what validation layers say, from any thread. Warnings and errors only. */
final class ValidationLog implements AutoCloseable {
  private final List<String> messages = new ArrayList<>();
  private final VkDebugUtilsMessengerCallbackEXT callback =
      VkDebugUtilsMessengerCallbackEXT.create(
          (severity, types, data, user) -> {
            VkDebugUtilsMessengerCallbackDataEXT d =
                VkDebugUtilsMessengerCallbackDataEXT.create(data);
            String id = d.pMessageIdNameString();
            add((id == null ? "" : id + ": ") + d.pMessageString());
            return VK10.VK_FALSE;
          });

  private synchronized void add(String message) {
    messages.add(message);
  }

  synchronized List<String> messages() {
    return List.copyOf(messages);
  }

  /** For the instance's creation: a messenger for what happens while it is made and destroyed. */
  VkDebugUtilsMessengerCreateInfoEXT createInfo(MemoryStack stack) {
    return VkDebugUtilsMessengerCreateInfoEXT.calloc(stack)
        .sType$Default()
        .messageSeverity(
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
        .messageType(
            VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT
                | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT
                | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)
        .pfnUserCallback(callback);
  }

  @Override
  public void close() {
    callback.free();
  }
}
