package org.allreducelab.backends;

/** A call into a driver failed: which call, with what code, on what device. */
public final class DriverException extends BackendException {
  private static final long serialVersionUID = 1L;

  private final String backend;
  private final String call;
  private final int code;
  private final String device;

  /**
   * @param backend the backend's name, for instance {@code vulkan}; it says what the code means
   * @param call the driver's function, for instance {@code vkQueueSubmit}
   * @param code what it returned
   * @param codeName the code's name in the API
   * @param device the device's name, or {@code the loader}
   * @param advice what to do about it; empty where there is nothing to do
   */
  public DriverException(
      String backend, String call, int code, String codeName, String device, String advice) {
    super(call + " gave " + codeName + " on " + device + (advice.isEmpty() ? "" : ": " + advice));
    this.backend = backend;
    this.call = call;
    this.code = code;
    this.device = device;
  }

  /** The name of the backend whose driver it is. */
  public String backend() {
    return backend;
  }

  /** The driver's function, for instance {@code clEnqueueNDRangeKernel}. */
  public String call() {
    return call;
  }

  /** The raw code, such as a VkResult. */
  public int code() {
    return code;
  }

  /** The device's name, or {@code the loader}. */
  public String device() {
    return device;
  }
}
