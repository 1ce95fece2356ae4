package org.allreducelab.harness.bench;

/** A suite that does not exist, cannot be read or is malformed; the message says where and what. */
final class SuiteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SuiteException(String message) {
    super(message);
  }
}
