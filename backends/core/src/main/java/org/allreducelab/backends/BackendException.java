package org.allreducelab.backends;

/** A device, driver or group failed; the message says call, code and device, and what to do. */
public class BackendException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BackendException(String message) {
    super(message);
  }

  public BackendException(String message, Throwable cause) {
    super(message, cause);
  }
}
