package org.allreducelab.backends.vulkan;

import org.allreducelab.backends.BackendException;

/** A Vulkan call failed: which call, with what code, on what device. */
public final class VulkanException extends BackendException {
  private static final long serialVersionUID = 1L;

  private final String call;
  private final int code;
  private final String device;

  VulkanException(String call, int code, String device) {
    super(call + " gave " + ResultCode.name(code) + " on " + device + advice(code));
    this.call = call;
    this.code = code;
    this.device = device;
  }

  private static String advice(int code) {
    String advice = ResultCode.advice(code);
    return advice.isEmpty() ? "" : ": " + advice;
  }

  /** The Vulkan function, for instance {@code vkQueueSubmit}. */
  public String call() {
    return call;
  }

  /** The raw VkResult. */
  public int code() {
    return code;
  }

  /** The device's name, or {@code the loader}. */
  public String device() {
    return device;
  }
}
