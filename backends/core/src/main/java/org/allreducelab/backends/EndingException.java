package org.allreducelab.backends;

/**
 * The process has been told to end (Ctrl-C, SIGTERM). No failure of anything: whoever catches it
 * cleans up and passes it on, up to where {@link DriverShutdown#run()} is called.
 */
public final class EndingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EndingException() {
    super("the process is ending");
  }
}
