package org.allreducelab.harness.cli;

/**
 * What the user typed cannot be done as it is written: exit code {@link ExitCode#USAGE}. The
 * message is one line that says what was wrong and what would be right.
 */
public final class UsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }
}
