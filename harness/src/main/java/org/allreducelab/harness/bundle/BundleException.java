package org.allreducelab.harness.bundle;

/** A bundle could not be made; the message is one line that says why. */
final class BundleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BundleException(String message) {
    super(message);
  }
}
