package org.allreducelab.backends.opencl;

import org.allreducelab.backends.BackendException;

/** An OpenCL call failed: which call, with what code, on what device. */
public final class OpenClException extends BackendException {
  private static final long serialVersionUID = 1L;

  private final String call;
  private final int code;
  private final String device;

  OpenClException(String call, int code, String device) {
    super(call + " gave " + ErrorCode.name(code) + " on " + device + advice(code));
    this.call = call;
    this.code = code;
    this.device = device;
  }

  private static String advice(int code) {
    String advice = ErrorCode.advice(code);
    return advice.isEmpty() ? "" : ": " + advice;
  }

  /** The OpenCL function, for instance {@code clEnqueueNDRangeKernel}. */
  public String call() {
    return call;
  }

  /** The raw code. */
  public int code() {
    return code;
  }

  /** The device's name, or {@code the loader}. */
  public String device() {
    return device;
  }
}
