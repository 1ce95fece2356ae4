package org.allreducelab.harness.cli;

/** How a command ends: a contract that scripts rely on. */
public final class ExitCode {
  public static final int OK = 0;

  /** A failure or a mismatch while running. */
  public static final int FAILURE = 1;

  /** Syntax, an unknown name, out of range, a file that is unreadable, unwritable or damaged. */
  public static final int USAGE = 2;

  /** A regression was found. */
  public static final int REGRESSION = 3;

  /** A well-formed device or backend that is not here. */
  public static final int UNAVAILABLE = 4;

  /** Ctrl-C; what was done is kept. The JVM ends with it by itself on SIGINT. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
